// Runs recipes that it is sent, one after another, in one process: the packages are loaded once. Each is a module of its own each
// time, and must end as a program of its own would: what it leaves open is told.
import { format, inspect } from 'node:util'

import { leftOpen, openNow } from '../left-open.ts'

export interface RecipeAsk {
  readonly file: string
  readonly args: readonly string[]
}

export interface RecipeAnswer {
  readonly out: string
  readonly left: readonly string[]
}

let runs = 0

async function answer({ file, args }: RecipeAsk): Promise<RecipeAnswer> {
  const before = openNow()
  const { argv } = process
  const { log } = console
  let out = ''
  process.argv = [process.execPath, file, ...args]
  console.log = (...said: readonly unknown[]) => void (out += `${format(...said)}\n`)
  try {
    await import(`${file}?run=${(runs += 1)}`)
    const left = await leftOpen(before)
    return { out, left }
  } finally {
    Object.assign(console, { log })
    process.argv = argv
  }
}

process.on('message', (ask: RecipeAsk) => {
  void answer(ask).then(
    (done) => process.send?.(done),
    (error: unknown) => process.send?.({ fault: inspect(error) }),
  )
})
process.send?.('ready')
