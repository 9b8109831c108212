// Questions to the web: the jobs that have one answer, followed until they have it.
import { writeFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'

import type { JobStatus, PartStatus } from '@harvestman/core'
import { EngineError } from '@harvestman/ports'

import type { JobPart } from '@harvestman/core/plugin'

import type { CommandAnswer, CommandEngine } from './command-engine.ts'
import { previewOf, withEngine, type EngineFlags } from './follow.ts'
import { goOnCommand } from './go-on.ts'
import { parseOptions } from './page-options.ts'
import type { PreviewFlags } from './preview.ts'
import { printable } from './printable.ts'
import { duration } from './progress.ts'
import { exitCodes, type Shell } from './shell.ts'
import { openProgress } from './show-job.ts'
import { numberOr } from './numbers.ts'

export interface AnswerFlags extends EngineFlags, PreviewFlags {
  readonly output?: string
  readonly resume?: string
  readonly maxCredits?: string
  readonly options?: string
}

/** How one kind of question is asked, followed and printed. */
interface Question {
  readonly name: string
  readonly kind: string
  readonly request: object
  readonly ask: (engine: CommandEngine, request: object) => Promise<CommandAnswer>
  readonly find: (engine: CommandEngine, id: string) => Promise<CommandAnswer>
  /** What it has done until now, a line each; absent where its pages are counted. */
  readonly done?: (status: PartStatus) => readonly string[]
  /** The answer, as it is printed. */
  readonly text: (data: unknown, request: unknown) => string
}

/** A job of a kind that a plugin brings. */
export function startKind(part: JobPart, request: object, flags: AnswerFlags, shell: Shell) {
  const { kind, command, progress } = part
  return follow(
    {
      name: command?.name ?? kind,
      kind,
      request,
      ask: (engine, asked) => engine.unchecked.start(kind, asked),
      find: (engine, id) => engine.unchecked.find(kind, id),
      ...(progress?.lines && { done: progress.lines }),
      text: (data, asked) => command?.print?.(data, asked) ?? JSON.stringify(data, null, 2),
    },
    flags,
    shell,
  )
}

const lookEvery = 300

async function follow(question: Question, flags: AnswerFlags, shell: Shell): Promise<number> {
  const { name } = question
  const { maxCredits, options, resume } = flags
  const cap = maxCredits === undefined ? {} : { maxCredits: numberOr(maxCredits) }
  const request = { ...question.request, ...cap, ...parseOptions(options) }
  if (flags.preview) return previewOf(question.kind, request, flags, shell)
  return withEngine(flags, shell, async (engine, store) => {
    const stop = new AbortController()
    const interrupt = (): void => stop.abort()
    process.once('SIGINT', interrupt)
    try {
      const began = performance.now()
      const job = await (resume === undefined ? question.ask(engine, request) : question.find(engine, resume))
      shell.err(`${shell.paint.err('quiet', `${name} ${job.id}`)}\n`)
      const status = await untilEnd(question, job, { engine, shell, signal: stop.signal })
      if (status === undefined) return farewell(store, goOnCommand(name, job.id, flags), shell)
      return await tell(question, status, { flags, shell, took: performance.now() - began })
    } finally {
      process.off('SIGINT', interrupt)
    }
  })
}

interface Looking {
  readonly engine: CommandEngine
  readonly shell: Shell
  readonly signal: AbortSignal
}

/** Says what is done as it is done. Gives nothing when that was interrupted. */
async function untilEnd(
  question: Question,
  job: CommandAnswer,
  { engine, shell, signal }: Looking,
): Promise<PartStatus | undefined> {
  const { done, name } = question
  const progress = done ? undefined : openProgress(shell)
  const known = await engine.jobs.find(job.id)
  let told = 0
  try {
    for (;;) {
      const status = await job.status()
      const lines = done?.(status) ?? []
      for (const line of lines.slice(told)) shell.err(`${shell.paint.err('quiet', '·')} ${printable(line)}\n`)
      told = lines.length
      if (status.status !== 'processing') return status
      progress?.show(progressOf(await known.status(), name))
      if (!(await pause(signal))) return undefined
    }
  } finally {
    progress?.end()
  }
}

function progressOf({ completed: done, failed, total, creditsUsed: credits }: JobStatus, url: string) {
  return { done, failed, total, credits, url }
}

/** Resolves to whether the time has passed without a signal. */
function pause(signal: AbortSignal): Promise<boolean> {
  return setTimeout(lookEvery, true, { signal }).catch(() => false)
}

interface Telling {
  readonly flags: AnswerFlags
  readonly shell: Shell
  readonly took: number
}

async function tell({ name, text }: Question, status: PartStatus, { flags, shell, took }: Telling): Promise<number> {
  const { data, error, creditsUsed } = status
  if (data === undefined || status.status !== 'completed') {
    const why = error ?? (status.status === 'cancelled' ? 'It was cancelled.' : 'The job failed without a reason.')
    if (flags.json) shell.out(`${JSON.stringify(status)}\n`)
    shell.err(`${shell.paint.err('bad', `✗ ${name}: ${printable(why)}`)}\n`)
    return exitCodes.notLoaded
  }
  const printed = flags.json ? JSON.stringify(status) : text(data, status.request)
  if (flags.output === undefined) shell.out(`${printed}\n`)
  else await write(flags.output, `${printed}\n`)
  const place = flags.output === undefined ? '' : `, in ${flags.output}`
  const credits = `${creditsUsed} ${creditsUsed === 1 ? 'credit' : 'credits'}`
  shell.err(`${shell.paint.err('good', '✓')} ${name} answered in ${duration(took)}, ${credits}${place}\n`)
  return exitCodes.done
}

async function write(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text)
  } catch (cause) {
    throw new EngineError('invalid_request', `${file} cannot be written. Check its folder and your rights.`, { cause })
  }
}

function farewell(store: string, command: string, shell: Shell): number {
  const next = store === 'memory:' ? 'Its store was this process, so nothing is left of it.' : `Go on: ${command}`
  shell.err(`Stopped. ${next}\n`)
  return exitCodes.interrupted
}
