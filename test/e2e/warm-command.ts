// Command lines that one process runs, where a test is about what a command says and not about how a program starts and ends.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

import type { Ended, StartOptions } from './command.ts'

export interface WarmAsk {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly stdin: string
}

export interface WarmAnswer extends Ended {
  /** What would keep a program from ending, in the words of `process.getActiveResourcesInfo`. */
  readonly left: readonly string[]
}

export interface WarmCommand {
  /** Runs one command line when those before it have ended. Rejects when it leaves something open. */
  run(args: readonly string[], given?: { readonly env?: WarmAsk['env']; readonly stdin?: string }): Promise<Ended>
  close(): Promise<void>
}

const child = fileURLToPath(new URL('warm-child.ts', import.meta.url))

/** Starts the process when it is first needed. */
export function warmCommand(options: StartOptions): WarmCommand {
  let started: ReturnType<typeof startChild> | undefined
  let last: Promise<unknown> = Promise.resolve()
  const next = (work: () => Promise<Ended>): Promise<Ended> => {
    const done = last.then(work)
    last = done.catch(() => undefined)
    return done
  }
  return {
    run: (args, { env = options.env, stdin = '' } = {}) =>
      next(async () => {
        started ??= startChild(options)
        const { left, ...ended } = await (await started)({ args, env, stdin })
        if (left.length > 0) throw new Error(`harvestman ${args.join(' ')} leaves open: ${left.join(', ')}`)
        return ended
      }),
    close: async () => {
      await last
      await (await started)?.close()
    },
  }
}

async function startChild(options: StartOptions) {
  const warm = fork(child, { ...options, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const gone = once(warm, 'exit').then(([code]) => {
    throw new Error(`The process that runs command lines has ended, with ${code}.`)
  })
  gone.catch(() => undefined)
  const told = async (): Promise<unknown> => (await Promise.race([once(warm, 'message'), gone]))[0]
  await told()
  const ask = async (asked: WarmAsk): Promise<WarmAnswer> => {
    warm.send(asked)
    const answer = (await told()) as WarmAnswer | { readonly fault: string }
    if ('fault' in answer) throw new Error(answer.fault)
    return answer
  }
  const close = async (): Promise<void> => {
    warm.disconnect()
    await gone.catch(() => undefined)
  }
  return Object.assign(ask, { close })
}
