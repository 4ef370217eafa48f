#pragma once
#include <gio/gio.h>
#include <glib-unix.h>
#include <gio/gunixsocketaddress.h>
#include <gio/gunixinputstream.h>
