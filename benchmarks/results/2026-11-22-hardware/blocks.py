import subprocess, sys, time, os, random, statistics, json, resource
isx=sys.argv[1]; d='/tmp/isx-blocks'; os.makedirs(d,exist_ok=True)
def run(path):
    t=time.perf_counter(); p=subprocess.Popen([isx,'-q','explore',path,'--json'],stdout=subprocess.PIPE); out=p.stdout.read(); _,st,ru=os.wait4(p.pid,0); dt=time.perf_counter()-t
    assert st==0; return dt, ru.ru_maxrss, len(json.loads(out)['points'])
confs=[("30 x 10, 8 blocks, own areas","--tasks 30 --choices 10 --blocks 8 --uses 1..3 --area 1..1000",0.2),
("30 x 10, 12 blocks, no own areas","--tasks 30 --choices 10 --blocks 12 --uses 1..3 --area 0..0",0.1),
("20 x 8, 12 blocks open, own areas","--tasks 20 --choices 8 --blocks 12 --uses 1..3 --area 1..1000",0.3),
("30 x 10, 12 blocks open, own areas","--tasks 30 --choices 10 --blocks 12 --uses 1..3 --area 1..1000",1.5),
("12 x 8, 16 blocks open, own areas","--tasks 12 --choices 8 --blocks 16 --uses 1..3 --area 1..1000",0.5)]
def windows(seed,path):
    r=random.Random(seed); m,n,b,w=30,10,20,6
    y=["name: windows","clock: 100 MHz","area_unit: NAND2","blocks:"]
    for k in range(b): y.append(f"  - {{name: b{k}, area: {r.randint(100,2000)}}}")
    y.append("tasks:")
    for t in range(m):
        first=t*(b-w)//(m-1); e=r.randint(100000,300000)
        y+= [f"  - name: t{t}",f"    wcet: {e}","    period: 50 ms","    choices:"]
        for c in range(n):
            u=sorted({first+r.randint(0,w-1) for _ in range(r.randint(1,3))})
            y.append(f"      - {{name: c{c}, uses: [{', '.join('b%d'%x for x in u)}], area: {r.randint(1,1000)}, saves: {r.randint(5000,60000)}}}")
    open(path,'w').write('\n'.join(y)+'\n')
print("isx:",subprocess.run([isx,'--version'],capture_output=True,text=True).stdout.strip())
for name,flags,asked in confs+[("30 x 10, 20 blocks, 6 open, own areas",None,0.1)]:
    rows=[]
    for seed in range(1,6):
        p=f"{d}/s.yaml"
        if flags: subprocess.run([isx,'-q','generate','taskset',*flags.split(),'--block-area','100..2000','--seed',str(seed),'-o',p],check=True)
        else: windows(seed,p)
        best=sorted(run(p) for _ in range(3))[1]
        rows.append(best)
    print(f"{name} | asked {asked} s | median {statistics.median(r[0] for r in rows):.3f} s | "+" | ".join(f"{a:.3f} s {k} kB {n} points" for a,k,n in rows),flush=True)
