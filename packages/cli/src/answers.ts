// Commands for jobs with a single result, which wait until it is complete.
import { writeFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'

import type { AnswerState, AnyJob, ListedJob } from '@harvestman/client'
import { EngineError } from '@harvestman/ports'

import type { JobPart } from '@harvestman/core/plugin'

import type { CommandAnswer, CommandClient } from './client.ts'
import { previewOf, withClient, type EngineFlags } from './follow.ts'
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

/** How to start, follow and print one kind of job. */
interface Question {
  readonly name: string
  readonly kind: string
  readonly request: object
  /** Progress so far, as lines; absent if progress is a page count. */
  readonly done?: NonNullable<NonNullable<JobPart['progress']>['lines']>
  /** Formats the result. */
  readonly text: (data: unknown, request: unknown) => string
}

/**
 * Starts a job of a plugin's kind, or finds the one of `--resume`, follows it and prints its result; with `--preview`, only
 * prints the price. Resolves to the exit code, also if the job fails or Ctrl-C stops following it. Rejects if it cannot be
 * started or found, or its status cannot be read, and with `invalid_request` if `--output` cannot be written.
 */
export function startKind(part: JobPart, request: object, flags: AnswerFlags, shell: Shell) {
  const { kind, command, progress } = part
  return follow(
    {
      name: command?.name ?? kind,
      kind,
      request,
      ...(progress?.lines && { done: progress.lines }),
      text: (data, asked) => command?.print?.(data, asked) ?? JSON.stringify(data, null, 2),
    },
    flags,
    shell,
  )
}

const pollInterval = 300

async function follow(question: Question, flags: AnswerFlags, shell: Shell): Promise<number> {
  const { name } = question
  const { maxCredits, options, resume } = flags
  const cap = maxCredits === undefined ? {} : { maxCredits: numberOr(maxCredits) }
  const request = { ...question.request, ...cap, ...parseOptions(options) }
  if (flags.preview) return previewOf(question.kind, request, flags, shell)
  return withClient(flags, shell, async (client, store) => {
    const stop = new AbortController()
    const interrupt = (): void => stop.abort()
    process.once('SIGINT', interrupt)
    try {
      const began = performance.now()
      const job = await (resume === undefined
        ? client.start(question.kind, request)
        : findAnswer(client, question.kind, resume))
      const { request: asked } = await client.findJob(job.id)
      shell.err(`${shell.paint.err('quiet', `${name} ${job.id}`)}\n`)
      const state = await untilEnd(question, job, { client, shell, signal: stop.signal })
      if (state === undefined) return farewell(store, goOnCommand(name, job.id, flags), shell)
      return await tell(question, { ...state, request: asked }, { flags, shell, took: performance.now() - began })
    } finally {
      process.off('SIGINT', interrupt)
    }
  })
}

/** Finds a job by id. Rejects before anything is printed if it does not exist. */
async function findAnswer(client: CommandClient, kind: string, id: string): Promise<CommandAnswer> {
  const job = client.find(kind, id)
  await job.status()
  return job
}

interface Looking {
  readonly client: CommandClient
  readonly shell: Shell
  readonly signal: AbortSignal
}

/** Prints the progress until the job ends. Returns `undefined` if interrupted. */
async function untilEnd(
  question: Question,
  job: CommandAnswer,
  { client, shell, signal }: Looking,
): Promise<AnswerState | undefined> {
  const { done, name } = question
  const progress = done ? undefined : openProgress(shell)
  let shownLines = 0
  try {
    for (;;) {
      const status = await job.status()
      const lines = done?.({ ...status }) ?? []
      for (const line of lines.slice(shownLines)) shell.err(`${shell.paint.err('quiet', '·')} ${printable(line)}\n`)
      shownLines = lines.length
      if (status.status !== 'processing') return status
      if (progress) progress.show(progressOf(await client.jobStatus(job.id), name))
      if (!(await pause(signal))) return undefined
    }
  } finally {
    progress?.end()
  }
}

function progressOf({ completed: done, failed, total, creditsUsed: credits }: ListedJob, url: string) {
  return { done, failed, total, credits, url }
}

/** Resolves to true after the interval, or to false if the signal is aborted. */
function pause(signal: AbortSignal): Promise<boolean> {
  return setTimeout(pollInterval, true, { signal }).catch(() => false)
}

interface Telling {
  readonly flags: AnswerFlags
  readonly shell: Shell
  readonly took: number
}

interface Answered extends AnswerState {
  readonly request: AnyJob['request']
}

async function tell({ name, text }: Question, status: Answered, { flags, shell, took }: Telling): Promise<number> {
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
    throw new EngineError('invalid_request', `${file} cannot be written. Check its folder and permissions.`, { cause })
  }
}

function farewell(store: string, command: string, shell: Shell): number {
  const next = store === 'memory:' ? 'It was stored in memory only, and is lost.' : `Continue: ${command}`
  shell.err(`Stopped. ${next}\n`)
  return exitCodes.interrupted
}
