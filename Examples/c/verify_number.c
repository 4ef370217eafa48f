/*
 * verify_number NUMBER: asks modemd whether a number is that of this machine's SIM, and shows each
 * step as it ends. MODEMD_SOCKET names another socket.
 *
 *     cc -O2 -Wall -Wextra -o verify_number verify_number.c -ljson-c
 *
 * Exit status: 0 the number is the SIM's; 1 it is not, or nobody can tell; 2 the call was wrong, or
 * modemd does not answer.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <json-c/json.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* The longest message that is read; those of this method have some kilobytes. */
enum { MESSAGE_LIMIT = 16 << 20, DEPTH_LIMIT = 64 };

static int complain(const char *what, const char *why)
{
    fprintf(stderr, "%s: %s\n", what, why);
    return 2;
}

static int connect_to(const char *path)
{
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    if (strlen(path) >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    strcpy(address.sun_path, path);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof address) < 0) {
        int error = errno;
        close(fd);
        errno = error;
        return -1;
    }
    return fd;
}

/* A message is JSON with a zero byte behind it. A write may take only a part. */
static bool send_message(int fd, const char *text)
{
    size_t length = strlen(text) + 1;
    while (length > 0) {
        ssize_t sent = send(fd, text, length, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0) return false;
        text += sent;
        length -= (size_t)sent;
    }
    return true;
}

/* What has been read: `used` bytes, the first `taken` of which were messages. */
struct reader {
    int fd;
    char *bytes;
    size_t used, taken, room;
};

/* The next message, until the next call; NULL if the connection ended or the message is too long. */
static const char *next_message(struct reader *reader)
{
    memmove(reader->bytes, reader->bytes + reader->taken, reader->used - reader->taken);
    reader->used -= reader->taken;
    reader->taken = 0;
    for (size_t searched = 0;;) {
        char *end = memchr(reader->bytes + searched, 0, reader->used - searched);
        if (end != NULL) {
            reader->taken = (size_t)(end - reader->bytes) + 1;
            return reader->bytes;
        }
        searched = reader->used;
        if (reader->used == reader->room) {
            char *larger = reader->room < MESSAGE_LIMIT ? realloc(reader->bytes, reader->room * 2) : NULL;
            if (larger == NULL) return NULL;
            reader->bytes = larger;
            reader->room *= 2;
        }
        ssize_t count = read(reader->fd, reader->bytes + reader->used, reader->room - reader->used);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return NULL;
        reader->used += (size_t)count;
    }
}

static struct json_object *parse(const char *message)
{
    struct json_tokener *tokener = json_tokener_new_ex(DEPTH_LIMIT);
    if (tokener == NULL) return NULL;
    json_tokener_set_flags(tokener, JSON_TOKENER_VALIDATE_UTF8);
    /* With its zero byte, so that a number at the end is complete. */
    size_t length = strlen(message);
    struct json_object *value = json_tokener_parse_ex(tokener, message, (int)length + 1);
    bool is_whole = json_tokener_get_parse_end(tokener) >= length;
    json_tokener_free(tokener);
    if (is_whole && json_object_is_type(value, json_type_object)) return value;
    json_object_put(value);
    return NULL;
}

static struct json_object *field(struct json_object *object, const char *name)
{
    struct json_object *value = NULL;
    if (json_object_is_type(object, json_type_object)) json_object_object_get_ex(object, name, &value);
    return value;
}

static const char *text(struct json_object *object, const char *name)
{
    struct json_object *value = field(object, name);
    return json_object_is_type(value, json_type_string) ? json_object_get_string(value) : "";
}

/* Shows one reply. Returns the exit status, or -1 if more replies follow. */
static int show(struct json_object *reply)
{
    const char *error = text(reply, "error");
    if (*error != '\0') return complain("modemd refuses", error);
    struct json_object *parameters = field(reply, "parameters");
    struct json_object *step = field(parameters, "step"), *outcome = field(parameters, "outcome");
    if (step != NULL) {
        printf("step %d: %s, %g ms %s\n", json_object_get_int(field(step, "index")), text(step, "name"),
            json_object_get_double(field(step, "milliseconds")), text(step, "failure"));
        fflush(stdout);
    }
    if (outcome != NULL) {
        printf("%s: %s\n", text(outcome, "result"), text(outcome, "text"));
        return strcmp(text(outcome, "result"), "verified") == 0 ? 0 : 1;
    }
    if (json_object_get_boolean(field(reply, "continues"))) return -1;
    return complain("modemd", "the last reply has no outcome");
}

static bool ask(int fd, const char *number)
{
    struct json_object *call = json_object_new_object(), *parameters = json_object_new_object();
    json_object_object_add(parameters, "number", json_object_new_string(number));
    json_object_object_add(call, "method", json_object_new_string("org.modemd.Verify.Number"));
    json_object_object_add(call, "parameters", parameters);
    json_object_object_add(call, "more", json_object_new_boolean(true));
    bool sent = send_message(fd, json_object_to_json_string(call));
    json_object_put(call);
    return sent;
}

int main(int count, char **arguments)
{
    if (count != 2) return complain("usage", "verify_number NUMBER, in international form, as in +447700900123");
    const char *given = getenv("MODEMD_SOCKET");
    const char *path = given != NULL && *given != '\0' ? given : "/run/modemd/org.modemd";
    struct reader reader = { .fd = connect_to(path), .bytes = malloc(4096), .room = 4096 };
    if (reader.bytes == NULL) return complain("verify_number", strerror(ENOMEM));
    if (reader.fd < 0 || !ask(reader.fd, arguments[1])) return complain(path, strerror(errno));
    int status = -1;
    while (status < 0) {
        const char *message = next_message(&reader);
        struct json_object *reply = message != NULL ? parse(message) : NULL;
        if (message == NULL) {
            status = complain(path, "the connection ended before the outcome");
        } else {
            status = reply != NULL ? show(reply) : complain(path, "a message cannot be read");
        }
        json_object_put(reply);
    }
    close(reader.fd);
    free(reader.bytes);
    return status;
}
