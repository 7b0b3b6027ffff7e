"""Ways out of a sandbox, each a function; prints those that worked and exits with 7 if there are any.

Arguments: the folder with the victims, then the names of the attacks.
"""

import ctypes
import errno
import fcntl
import os
import resource
import signal
import socket
import stat
import struct
import sys

outside = sys.argv[1]
libc = ctypes.CDLL(None, use_errno=True)
victim = os.path.join(outside, "victim")


def check(result):
    """Raises what a C function reported."""
    if result == -1:
        raise OSError(ctypes.get_errno(), "refused")
    return result


def syscall(number, *arguments):
    return check(libc.syscall(number, *arguments))


def process():
    """Returns the process that is to be harmed."""
    with open(os.path.join(outside, "pid")) as file:
        return int(file.read())


def write():
    with open(victim, "w"):
        pass


def chmod():
    os.chmod(victim, 0o600)


def fchmod():
    os.fchmod(os.open(victim, os.O_RDONLY), 0o600)


def chown():
    os.chown(victim, os.getuid(), os.getgid())


def utime():
    os.utime(victim, (1, 1))


def xattr():
    os.setxattr(victim, "user.x", b"x")


def chattr():
    file = os.open(victim, os.O_RDONLY)
    flags = fcntl.ioctl(file, 0x80086601, struct.pack("l", 0))
    fcntl.ioctl(file, 0x40086602, struct.pack("l", struct.unpack("l", flags)[0] | 0x40))


def prlimit():
    resource.prlimit(process(), resource.RLIMIT_NOFILE, (64, 64))


def renice():
    os.setpriority(os.PRIO_PROCESS, process(), 15)


def kill():
    os.kill(process(), signal.SIGCONT)


def unix():
    socket.socket(socket.AF_UNIX).connect(os.path.join(outside, "socket"))


def datagram():
    one, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    one.sendto(b"x", os.path.join(outside, "datagrams"))


def loopback():
    with open(os.path.join(outside, "port")) as file:
        socket.create_connection(("127.0.0.1", int(file.read())), 2)


def shm_of_others():
    with open(os.path.join(outside, "shm")) as file:
        check(libc.shmctl(int(file.read()), 0, None))


def device():
    os.mknod("device", stat.S_IFBLK | 0o600, os.makedev(7, 250))


def character_device():
    os.mknod("device", stat.S_IFCHR | 0o600, os.makedev(1, 3))


def hostname():
    socket.sethostname("stolen")


def key():
    key_ring_of_user = -4
    # The number of `add_key`, on x86-64 and on all newer processors.
    add_key = 248 if os.uname().machine == "x86_64" else 217
    syscall(add_key, b"user", b"x", b"x", 1, key_ring_of_user)


def ring():
    syscall(425, 4, ctypes.create_string_buffer(120))


def second_set():
    # The number of `getpid` in the second set of x86-64.
    syscall(0x40000000 + 39)


def user_namespace():
    check(libc.unshare(0x10000000))


def mount():
    check(libc.mount(b"none", b".", b"tmpfs", 0, None))


def capabilities():
    with open("/proc/self/status") as file:
        sets = [line.split() for line in file if line.startswith("Cap")]
    held = [name for name, value in sets if int(value, 16) != 0 and name != "CapBnd:"]
    if not held:
        raise OSError(errno.EPERM, "refused")


def link_into_own_folder():
    os.link(victim, "stolen")


def spare(number):
    """Returns one of the files outside that only one attack each is after."""
    return os.path.join(outside, "spare-%d" % number)


def truncate():
    os.truncate(spare(0), 0)


def unlink():
    os.unlink(spare(1))


def make_folder():
    os.mkdir(os.path.join(outside, "folder"))


def make_pipe():
    os.mkfifo(os.path.join(outside, "pipe"))


def write_through_link():
    os.symlink(spare(2), "link")
    with open("link", "w"):
        pass


def write_through_root():
    with open("/proc/self/root" + spare(3), "w"):
        pass


def write_through_dots():
    with open(os.path.relpath(spare(4)), "w"):
        pass


def write_to_temporary_folder():
    with open("/tmp/attack-%d" % os.getpid(), "w") as file:
        os.unlink(file.name)


def write_to_shared_memory():
    with open("/dev/shm/attack-%d" % os.getpid(), "w") as file:
        os.unlink(file.name)


def abstract_socket():
    with open(os.path.join(outside, "abstract")) as file:
        socket.socket(socket.AF_UNIX).connect("\0" + file.read())


def pidfd_kill():
    signal.pidfd_send_signal(os.pidfd_open(process()), signal.SIGCONT)


def other_machine():
    # An address that is for documentation: nobody answers, and without a network there is no way.
    socket.socket().connect(("192.0.2.1", 9))


def kernel_setting():
    with open("/proc/sys/kernel/domainname", "r+") as file:
        file.write("stolen")


def namespace_of_init():
    check(libc.setns(os.open("/proc/1/ns/net", os.O_RDONLY), 0))


def trace():
    attach = 16
    check(libc.ptrace(attach, process(), None, None))


def memory_of_others():
    open("/proc/%d/mem" % process(), "r+b")


def kill_first():
    # In a process namespace this is a process of whodunit, with the user of the test.
    os.kill(1, signal.SIGCONT)


def trace_first():
    attach = 16
    check(libc.ptrace(attach, 1, None, None))


def limit_first():
    resource.prlimit(1, resource.RLIMIT_NOFILE, (64, 64))


def renice_first():
    os.setpriority(os.PRIO_PROCESS, 1, 15)


def see_others():
    os.stat("/proc/%d" % process())


def new_root():
    os.chroot("/")


def bind():
    check(libc.mount(outside.encode(), b".", None, 4096, None))


def main():
    worked = []
    for name in sys.argv[2:]:
        try:
            globals()[name]()
        except OSError as error:
            print(name, errno.errorcode.get(error.errno, error.errno))
        else:
            worked.append(name)
    if worked:
        print("worked:", *worked)
        sys.exit(7)


main()
