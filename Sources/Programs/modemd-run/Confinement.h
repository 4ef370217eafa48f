#pragma once

// Closes what was inherited and could carry bytes past the proxy: all but the three streams, files,
// folders, pipes and terminals.
void close_foreign_descriptors(void);

// Enters user, network and mount namespaces of this process's own, with its user and groups. Fails
// the run, and says what to set, where that is not allowed.
void enter_namespaces(void);

// Explains an error after which the namespaces are useless. Ends the run.
void fail_namespaces(const char *step, int error) __attribute__((noreturn));

// Hides the machine's ways to resolve names behind files and folders that know only the relay.
void hide_resolvers(void);

// Gives up what the namespaces gave, for good, and the variables that name other proxies.
void give_up_privileges(void);
