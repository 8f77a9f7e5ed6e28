import { appendFile, access, writeFile } from 'node:fs/promises';
import { mark, moduleOf } from '../../kit.js';

/** The first process that gets here never finishes; each later one does, and leaves its mark once for each job. */
class Jobs {
  async work({ id, data }) {
    await appendFile(data.runs, `${id}\n`);
    if (
      await access(data.gate).then(
        () => false,
        () => true,
      )
    )
      await new Promise(() => undefined);
    await writeFile(`${data.effects}/${id}`, '', { flag: 'wx' }).catch(error => {
      if (error.code !== 'EEXIST') throw error;
    });
  }

  stray() {
    setTimeout(async () => {
      throw new Error('nobody waits for me');
    }, 1);
    setTimeout(() => {
      throw new Error('nor for me');
    }, 1);
  }
}
mark('on-job', 'work', Jobs, 'work');
mark('on-job', 'stray', Jobs, 'stray');

class Routes {
  async emit({ params, body }, hub) {
    for (const data of body.all ?? [null]) await hub.jobs.emit(params.name, data);
    return { status: 202, body: {} };
  }
}
mark('on-route', 'emit', Routes, 'emit');

export default moduleOf(Jobs, Routes);
