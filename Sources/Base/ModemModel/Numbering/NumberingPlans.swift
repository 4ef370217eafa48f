/// Numbering plans by mobile country code.
///
/// The assignments come from ITU-T E.212 (MCC), E.164 (calling codes) and the national plans
/// notified under E.129 (trunk prefix, length and first digits of mobile numbers). Numbers of a
/// country without a plan here stay unchanged, unless they have `+` or a type.
enum NumberingPlans {
  static let byMCC: [String: NumberingPlan] = {
    var plans: [String: NumberingPlan] = [:]
    for row in rows { for mcc in row.codes { plans[mcc] = row.plan } }
    return plans
  }()

  /// For countries that share a calling code, the first one in the table.
  static let byCallingCode: [String: NumberingPlan] = {
    var plans: [String: NumberingPlan] = [:]
    for row in rows where plans[row.plan.callingCode] == nil { plans[row.plan.callingCode] = row.plan }
    return plans
  }()

  /// Countries with a prefix other than 00 for international numbers; none if a carrier code is
  /// part of it.
  static let internationalPrefixes: [String: [String]] = [
    "1": ["011"], "7": ["810"], "53": ["119"], "54": ["00"], "55": [], "56": [], "57": [], "61": ["0011"],
    "62": ["001", "007", "008"], "65": ["000", "001", "002", "008"], "66": ["001"], "81": ["010"],
    "82": ["001", "002", "008"], "234": ["009"], "254": ["000"], "255": ["000"], "256": ["000"], "375": ["810"],
    "852": ["001"], "855": ["001", "007", "008"], "886": ["002"], "993": ["810"],
  ]

  private struct Row {
    let codes: [String]
    let plan: NumberingPlan
  }

  private static let rows: [Row] = table.split(separator: "\n").map { line in
    let fields = line.split(separator: " ")
    let lengths = fields[3] == "-" ? [] : Self.numbers(fields[3])
    return Row(
      codes: Self.numbers(fields[0]).map(String.init),
      plan: NumberingPlan(
        String(fields[1]), trunk: fields[2] == "-" ? nil : String(fields[2]), lengths: lengths,
        digits: fields[4] == "*" ? "" : String(fields[4])))
  }

  /// As in 8,10-12.
  private static func numbers(_ text: Substring) -> [Int] {
    text.split(separator: ",").flatMap { part -> [Int] in
      let ends = part.split(separator: "-").compactMap { Int($0) }
      return Array(ends[0]...ends[ends.count - 1])
    }
  }

  /// MCCs, calling code, trunk prefix, lengths of mobile numbers, and their first digits. `-` means
  /// none, `*` any.
  private static let table = """
    302,310-316,330,332,338,342,344,346,348,350,352,354,356,358,360,364-366,370,374,376,544 1 1 10 23456789
    250 7 8 10 9
    401 7 8 10 7
    202 30 - 10 6
    204 31 0 9 6
    206 32 0 9 4
    208 33 0 9 67
    212 377 - 8,9 346
    213 376 - 6 346
    214 34 - 9 67
    216 36 06 9 2357
    218 387 0 8,9 6
    219 385 0 8,9 9
    220 381 0 8,9 6
    221 383 0 8 4
    222,225 39 - 9,10 3
    226 40 0 9 7
    228 41 0 9 7
    230 420 - 9 67
    231 421 0 9 9
    232 43 0 10-13 6
    234,235 44 0 10 7
    238 45 - 8 *
    240 46 0 9 7
    242 47 - 8 49
    244 358 0 6-10 45
    246 370 0 8 6
    247 371 - 8 2
    248 372 - 7,8 58
    255 380 0 9 35679
    257 375 80 9 234
    259 373 0 8 67
    260 48 - 9 45678
    262 49 0 10,11 1
    266 350 - 8 5
    268 351 - 9 9
    270 352 - 9 6
    272 353 0 9 8
    274 354 - 7 678
    276 355 0 9 6
    278 356 - 8 79
    280 357 - 8 9
    282 995 0 9 5
    283 374 0 8 *
    284 359 0 8,9 89
    286 90 0 10 5
    288 298 - 6 *
    290 299 - 6 245
    292 378 - - *
    293 386 0 8 34567
    294 389 0 8 7
    295 423 - 7,9 67
    297 382 0 8 6
    308 508 0 6 *
    334 52 - 10 *
    362 599 - 7,8 *
    363 297 - 7 *
    368 53 0 8 5
    372 509 - 8 *
    400 994 0 9 *
    402 975 - 8 17
    404-406 91 0 10 6789
    410 92 0 10 3
    412 93 0 9 7
    413 94 0 9 7
    414 95 0 8-10 9
    415 961 0 7,8 *
    416 962 0 9 7
    417 963 0 9 9
    418 964 0 10 7
    419 965 - 8 *
    420 966 0 9 5
    421 967 0 9 7
    422 968 - 8 79
    424,430,431 971 0 9 5
    425 972 0 9 5
    426 973 - 8 *
    427 974 - 8 *
    428 976 - 8 *
    429 977 0 10 9
    432 98 0 10 9
    434 998 - 9 *
    436 992 - 9 *
    437 996 0 9 *
    438 993 8 8 6
    440,441 81 0 10 6789
    450 82 0 9,10 1
    452 84 0 9 35789
    454 852 - 8 *
    455 853 - 8 6
    456 855 0 8,9 *
    457 856 0 10 2
    460,461 86 0 11 1
    466 886 0 9 9
    470 880 0 10 1
    472 960 - 7 79
    502 60 0 9,10 1
    505 61 0 9 4
    510 62 0 9-12 8
    514 670 - 8 7
    515 63 0 10 9
    520 66 0 9 689
    525 65 - 8 89
    528 673 - 7 *
    530 64 0 8-10 2
    536 674 - 7 *
    537 675 - 8 7
    539 676 - 5,7 *
    540 677 - 7 *
    541 678 - 7 *
    542 679 - 7 *
    545 686 - 8 *
    546 687 - 6 *
    547 689 - 8 8
    548 682 - 5 *
    549 685 - 7 *
    550 691 - 7 *
    551 692 - 7 *
    552 680 - 7 *
    553 688 - - *
    555 683 - - *
    602 20 0 10 1
    603 213 0 9 567
    604 212 0 9 67
    605 216 - 8 *
    606 218 0 9 9
    607 220 - 7 *
    608 221 - 9 7
    609 222 - 8 *
    610 223 - 8 *
    611 224 - 9 6
    612 225 - 10 0
    613 226 - 8 *
    614 227 - 8 *
    615 228 - 8 *
    616 229 - 8,10 *
    617 230 - 8 5
    618 231 0 7-9 *
    619 232 0 8 *
    620 233 0 9 25
    621 234 0 10 789
    622 235 - 8 *
    623 236 - 8 7
    624 237 - 9 6
    625 238 - 7 59
    626 239 - 7 9
    627 240 - 9 *
    628 241 - - *
    629 242 - 9 0
    630 243 0 9 89
    631 244 - 9 9
    632 245 - 7,9 *
    633 248 - 7 2
    634 249 0 9 19
    635 250 0 9 7
    636 251 0 9 79
    637 252 - - *
    638 253 - 8 7
    639 254 0 9 17
    640 255 0 9 67
    641 256 0 9 7
    642 257 - 8 *
    643 258 - 9 8
    645 260 0 9 79
    646 261 0 9 3
    647 262 0 9 67
    648 263 0 9 7
    649 264 0 9 8
    650 265 0 9 89
    651 266 - 8 56
    652 267 - 8 7
    653 268 - 8 7
    654 269 - 7 3
    655 27 0 9 678
    657 291 0 7 *
    659 211 0 9 9
    702 501 - 7 6
    704 502 - 8 *
    706 503 - 8 67
    708 504 - 8 *
    710 505 - 8 *
    712 506 - 8 *
    714 507 - 8 6
    716 51 0 9 9
    722 54 - - *
    724 55 - 10,11 *
    730 56 - 9 9
    732 57 - 10 3
    734 58 0 10 4
    736 591 - 8 67
    738 592 - 7 6
    740 593 0 9 9
    744 595 0 9 9
    746 597 - 7 *
    748 598 0 8 9
    750 500 - 5 *
    """
}
