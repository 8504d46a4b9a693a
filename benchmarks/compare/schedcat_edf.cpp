// SchedCAT's exact EDF test for one processor (quick processor-demand analysis), for task sets on standard input, one per
// line: the number of tasks, then WCET, period and deadline of each. Prints 1 or 0 for each. Needs GMP.
//
//     g++ -O2 -I SCHEDCAT/native/include schedcat_edf.cpp SCHEDCAT/native/src/{tasks,edf/qpa}.cpp -lgmpxx -lgmp
#include <iostream>

#include "tasks.h"
#include "schedulability.h"
#include "edf/qpa.h"

int main()
{
	unsigned long tasks, wcet, period, deadline;
	while (std::cin >> tasks) {
		TaskSet set;
		while (tasks-- && std::cin >> wcet >> period >> deadline)
			set.add_task(wcet, period, deadline);
		std::cout << QPATest(1).is_schedulable(set) << '\n';
	}
}
