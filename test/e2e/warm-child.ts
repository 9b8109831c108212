// Runs command lines that it is sent, one after another, in one process: all that the command loads is loaded once.
// Each must end as a program of its own would: what it leaves open is told, for it would keep such a program from ending.
import { inspect } from 'node:util'

import { paintFor } from '../../packages/cli/src/paint.ts'
import { run } from '../../packages/cli/src/program.ts'
import { leftOpen, openNow } from '../left-open.ts'
import type { WarmAsk, WarmAnswer } from './warm-command.ts'

async function answer({ args, env, stdin }: WarmAsk): Promise<WarmAnswer> {
  const said = { out: '', err: '' }
  const before = openNow()
  const code = await run(args, {
    env,
    out: (text) => void (said.out += text),
    err: (text) => void (said.err += text),
    isTerminal: false,
    columns: () => 80,
    paint: { out: paintFor(false, env), err: paintFor(false, env) },
    stdin: () => Buffer.from(stdin),
    isInteractive: false,
    lines: async function* () {
      yield* stdin.split('\n')
    },
  })
  return { code, ...said, left: await leftOpen(before) }
}

process.on('message', (ask: WarmAsk) => {
  void answer(ask).then(
    (done) => process.send?.(done),
    (error: unknown) => process.send?.({ fault: inspect(error) }),
  )
})
process.send?.('ready')
