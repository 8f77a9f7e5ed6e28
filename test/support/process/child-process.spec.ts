import { runChild, startChild } from './child-process.js';

const missing = '/nowhere/program';
const node = (script: string) => startChild(process.execPath, ['-e', script]);

describe('startChild', () => {
  it('rejects with the reason when the program cannot be started', async () => {
    const child = startChild(missing, ['argument']);
    const reason = `${missing} argument cannot be started: Error: spawn ${missing} ENOENT`;
    await expect(child.waitFor('it listens', () => false)).rejects.toThrow(reason);
    await expect(child.ended).rejects.toThrow(reason);
    await expect(child.kill('SIGKILL')).rejects.toThrow(reason);
    await expect(runChild(missing, [])).rejects.toThrow('ENOENT');
  });

  it('rejects with the output when the program ends before the condition holds', async () => {
    const child = node(`console.log('started'); console.error('no license'); process.exitCode = 3`);
    await expect(child.waitFor('it listens', () => false)).rejects.toThrow(
      /ended \(3\) before it listens:\nstarted\nno license\n/,
    );
  });

  it('rejects when a signal ends the program before the condition holds', async () => {
    const child = node(`process.kill(process.pid, 'SIGKILL')`);
    await expect(child.waitFor('it listens', () => false)).rejects.toThrow('ended (SIGKILL) before it listens');
  });

  it('returns what the condition returns, also when the program has ended', async () => {
    const child = node(`console.log('port 80')`);
    const port = () => /port (\d+)/.exec(child.stdout())?.[1];
    expect(await child.waitFor('it listens', port)).toBe('80');
    expect(await child.ended).toEqual({ code: 0, signal: null, stdout: 'port 80\n', stderr: '' });
    expect(await child.waitFor('it listens', port)).toBe('80');
  });

  it('ends the program with a signal', async () => {
    const child = node('setInterval(() => 0, 1000)');
    expect(await child.kill('SIGKILL')).toMatchObject({ code: null, signal: 'SIGKILL' });
  });
});
