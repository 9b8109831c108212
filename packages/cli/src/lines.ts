import { createInterface } from 'node:readline'

export interface ReadLines {
  readonly prompt: string
  readonly until: AbortSignal
  readonly isInteractive: boolean
}

/** The lines of the standard input. A person is prompted on stderr, so that stdout has the answers alone. */
export async function* readLines({ prompt, until, isInteractive }: ReadLines): AsyncGenerator<string> {
  const lines = createInterface({
    input: process.stdin,
    ...(isInteractive && { output: process.stderr, prompt }),
    terminal: isInteractive,
  })
  const close = (): void => lines.close()
  // The input may end while what it said is carried out: its last lines are read still, and there is no one to prompt.
  let isOver = false
  lines.once('close', () => (isOver = true))
  until.addEventListener('abort', close, { once: true })
  // In a terminal that is read like this, Ctrl-C comes as a key.
  lines.once('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  if (until.aborted) close()
  else if (isInteractive) lines.prompt()
  try {
    for await (const line of lines) {
      yield line
      if (isInteractive && !isOver) lines.prompt()
    }
  } finally {
    until.removeEventListener('abort', close)
    close()
  }
}
