"""Slurm on this host alone, for as long as a `with` lasts: munged, slurmctld and slurmd of Debian's packages `munge`,
`slurmctld`, `slurmd` and `slurm-client`, as root, with files and sockets in a folder of their own.
"""

import os
import shutil
import subprocess
import time
from pathlib import Path

DAEMONS = ("munged", "slurmctld", "slurmd")
CONF = """ClusterName=one
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort=16817
SlurmdPort=16818
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge/socket,cred_expire=5
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=1,sched_interval=2
KillWait=2
MinJobAge=600
ReturnToService=2
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


def is_here():
    return os.geteuid() == 0 and all(shutil.which(name) for name in (*DAEMONS, "sbatch", "scontrol"))


class Slurm:
    def __init__(self, folder):
        self.folder = Path(folder).resolve()
        self.environment = os.environ | {"SLURM_CONF": str(self.folder / "slurm.conf")}
        self.daemons = []

    def __enter__(self):
        for name in ("munge", "state", "spool"):
            (self.folder / name).mkdir(parents=True, mode=0o755)
        host = os.uname().nodename.split(".")[0]
        conf = CONF.format(host=host, folder=self.folder, cpus=os.cpu_count())
        (self.folder / "slurm.conf").write_text(conf)
        munge = self.folder / "munge"
        key = munge / "key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        files = {"socket": "socket", "key-file": "key", "log-file": "log", "pid-file": "pid", "seed-file": "seed"}
        self.start("munged", "--foreground", "--force", *(f"--{flag}={munge / name}" for flag, name in files.items()))
        self.start("slurmctld", "-D")
        self.start("slurmd", "-D")
        for _ in range(60):
            if "idle" in self.run("sinfo", "--noheader", "--format=%T", check=False):
                return self
            time.sleep(1)
        logs = [(self.folder / f"{name}.log").read_text()[-2000:] for name in ("slurmctld", "slurmd")]
        self.__exit__()
        raise RuntimeError("Slurm does not start:\n" + "\n".join(logs))

    def __exit__(self, *_):
        for daemon in reversed(self.daemons):
            daemon.terminate()
            daemon.wait()

    def start(self, *words):
        quiet = subprocess.DEVNULL
        self.daemons.append(subprocess.Popen(words, env=self.environment, stdout=quiet, stderr=quiet))

    def run(self, *words, check=True):
        done = subprocess.run([str(word) for word in words], env=self.environment, capture_output=True, text=True)
        if check and done.returncode:
            raise RuntimeError(f"{words}: {done.stderr}")
        return done.stdout.strip()

    def states(self, job):
        """The state of each task of an array, and how often it was begun again."""
        rows = [dict(word.split("=", 1) for word in row.split() if "=" in word)
                for row in self.run("scontrol", "show", "job", job, "--oneliner").splitlines()]
        return {int(row["ArrayTaskId"]): (row["JobState"], int(row["Restarts"])) for row in rows
                if row["ArrayTaskId"].isdigit()}
