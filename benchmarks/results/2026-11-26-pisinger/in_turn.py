# old and new in turn on the same files: user+sys of the whole command, and solve time
import subprocess,json,sys,time,os,resource
old,new,out,limit=sys.argv[1],sys.argv[2],sys.argv[3],float(sys.argv[4])
def run(exe,f):
    import time
    p=subprocess.Popen([exe,'solve','knapsack',f,'--json','--engine','core'],stdout=subprocess.PIPE,stderr=subprocess.DEVNULL,text=True)
    def kill(): p.kill()
    import threading
    t=threading.Timer(limit,kill); t.start()
    s=p.stdout.read(); _,st,ru=os.wait4(p.pid,0); t.cancel()
    cpu=(ru.ru_utime+ru.ru_stime)*1e3
    try:
        d=json.loads(s); return d['value'],d['weight'],d['timings']['solve']*1e3,cpu
    except Exception: return None,None,None,cpu
o=open(out,'w')
for line in sys.stdin:
    name,f=line.split()
    best={}
    for rep in range(3):
        for exe in (old,new):
            if rep>0 and best[exe][3]>2000: continue
            r=run(exe,f)
            if exe not in best or (r[0] and r[3]<best[exe][3]): best[exe]=r
    a,b=best[old],best[new]
    same='same' if a[:2]==b[:2] else ('DIFF' if a[0] and b[0] else 'one')
    print(name,same,a[2] and round(a[2],2),b[2] and round(b[2],2),round(a[3],1),round(b[3],1),file=o,flush=True)
