/* SPDX-License-Identifier: BSD-3-Clause
 * What carmine-node has instead of libraries that are loaded at run time: none. Plugins of hwloc and libgomp on the
 * node are made for another libc, and udev would only name disks. */
#include <stddef.h>

/* The linker puts it in the place of dlopen(3). */
void *node_dlopen(const char *file, int mode);
void *node_dlopen(const char *file, int mode) {
    (void)file, (void)mode;
    return NULL;
}

/* libudev.h; hwloc does without if there is no context. */
struct udev;
struct udev_device;
struct udev *udev_new(void);
struct udev *udev_unref(struct udev *udev);
struct udev_device *udev_device_new_from_subsystem_sysname(struct udev *udev, const char *subsystem, const char *name);
const char *udev_device_get_property_value(struct udev_device *device, const char *key);
struct udev_device *udev_device_unref(struct udev_device *device);

struct udev *udev_new(void) {
    return NULL;
}
struct udev *udev_unref(struct udev *udev) {
    return udev;
}
struct udev_device *udev_device_new_from_subsystem_sysname(struct udev *udev, const char *subsystem, const char *name) {
    (void)udev, (void)subsystem, (void)name;
    return NULL;
}
const char *udev_device_get_property_value(struct udev_device *device, const char *key) {
    (void)device, (void)key;
    return NULL;
}
struct udev_device *udev_device_unref(struct udev_device *device) {
    return device;
}
