#ifndef CMOSQUITTO_SHIM_H
#define CMOSQUITTO_SHIM_H
// The parts of libmosquitto that a client uses, and epoll, which Swift's Glibc leaves out.
#include <mosquitto.h>
#include <mqtt_protocol.h>
#include <sys/epoll.h>
#endif
