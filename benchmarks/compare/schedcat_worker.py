"""Random task sets, written by SchedCAT; what its own reader finds in them, a line a task. For Python 2.7, which SchedCAT is written for.

    python2.7 schedcat_worker.py SCHEDCAT FOLDER SETS SEED
"""

import os
import random
import sys

sys.path.insert(0, sys.argv[1])

from schedcat.model import serialize
from schedcat.model.resources import initialize_resource_model
from schedcat.model.tasks import SporadicTask, TaskSystem


def random_set(draw):
    tasks = []
    numbered = draw.random() < 0.5
    for number in range(draw.randint(1, 20)):
        period = draw.choice([draw.randint(1, 1000), draw.randint(10**6, 10**12)])
        deadline = draw.choice([None, draw.randint(1, 2 * period)])
        # An id that is absent is the number of the row.
        tasks.append(SporadicTask(draw.randint(1, period), period, deadline, 3 * number if numbered else None))
    system = TaskSystem(tasks)
    if draw.random() < 0.3:
        initialize_resource_model(system)
        system[0].resmodel[1].add_request(1)
    return system


def main():
    folder, sets = sys.argv[2], int(sys.argv[3])
    draw = random.Random(int(sys.argv[4]))
    for number in range(sets):
        path = os.path.join(folder, "schedcat-%d.xml" % number)
        serialize.write(random_set(draw), path)
        with open(path + ".figures", "w") as figures:
            for at, task in enumerate(serialize.load(path)):
                name = "task-%d" % (at + 1 if task.id is None else task.id)
                figures.write("%s %d %d %d\n" % (name, task.cost, task.period, task.deadline))


main()
