// Questions to the web: the jobs that have one answer, followed until they have it.
import { writeFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'

import {
  EngineError,
  type AgentStatus,
  type Engine,
  type JobStatus,
  type PartStatus,
  type PreviewKind,
  type ResearchStatus,
} from '@harvestman/core'

import type { JobPart } from '@harvestman/core/plugin'

import { previewOf, withEngine, type EngineFlags } from './follow.ts'
import { goOnCommand } from './go-on.ts'
import { parseOptions, readJson } from './page-options.ts'
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

export interface AskFlags extends AnswerFlags {
  readonly schema?: string
  readonly effort?: string
  readonly only?: boolean
}

export interface ResearchFlags extends AnswerFlags {
  readonly depth?: string
  readonly pages?: string
  readonly time?: string
  readonly schema?: string
}

type AnyStatus = AgentStatus | ResearchStatus | PartStatus

/** How one kind of question is asked, followed and printed. */
interface Question<Status extends AnyStatus> {
  readonly name: string
  readonly kind: PreviewKind
  readonly request: object
  readonly ask: (engine: Engine, request: object) => Promise<Answering<Status>>
  readonly find: (engine: Engine, id: string) => Promise<Answering<Status>>
  /** What it has done until now, a line each; absent where its pages are counted. */
  readonly done?: (status: Status) => readonly string[]
  /** The answer, as it is printed. */
  readonly text: (data: NonNullable<Status['data']>, status: Status) => string
}

function wordsOf(input: unknown): string {
  return Object.values(typeof input === 'object' && input !== null ? input : { input }).join(' ')
}

interface Answering<Status> {
  readonly id: string
  status(): Promise<Status>
}

/** An answer of a language model that looks for it on the web. */
export function ask(prompt: string | undefined, urls: readonly string[], flags: AskFlags, shell: Shell) {
  const { schema, effort, only } = flags
  return follow<AgentStatus>(
    {
      name: 'agent',
      kind: 'agent',
      request: {
        prompt: prompt ?? '',
        ...(urls.length > 0 && { urls }),
        ...(schema !== undefined && { schema: readJson('--schema', schema) }),
        ...(effort !== undefined && { effort }),
        ...(only && { strictConstrainToURLs: true }),
      },
      ask: (engine, request) => engine.agentAny(request),
      find: (engine, id) => engine.findAgent(id),
      done: ({ acts }) => acts.map(({ action, input, outcome }) => `${action} ${wordsOf(input)}  ${outcome}`),
      text: (data) => (typeof data === 'string' ? data : JSON.stringify(data, null, 2)),
    },
    flags,
    shell,
  )
}

/** A thorough answer, in rounds of searching, reading and judging. */
export function research(query: string | undefined, flags: ResearchFlags, shell: Shell) {
  const { depth, pages, time, schema } = flags
  return follow<ResearchStatus>(
    {
      name: 'research',
      kind: 'research',
      request: {
        query: query ?? '',
        ...(depth !== undefined && { maxDepth: numberOr(depth) }),
        ...(pages !== undefined && { maxUrls: numberOr(pages) }),
        ...(time !== undefined && { timeLimit: numberOr(time) }),
        ...(schema !== undefined && { formats: ['json'], jsonOptions: { schema: readJson('--schema', schema) } }),
      },
      ask: (engine, request) => engine.researchAny(request),
      find: (engine, id) => engine.findResearch(id),
      done: ({ activities }) =>
        activities.filter(({ status }) => status !== 'processing').map(({ type, message }) => `${type}  ${message}`),
      text: ({ finalAnalysis, sources, json }) =>
        json === undefined
          ? [finalAnalysis, '', ...sources.map(({ url, title }) => `- [${printable(title)}](${url})`)].join('\n')
          : JSON.stringify(json, null, 2),
    },
    flags,
    shell,
  )
}

/** A job of a kind that a plugin brings. */
export function startKind(part: JobPart, request: object, flags: AnswerFlags, shell: Shell) {
  const { kind, command, progress } = part
  return follow<PartStatus>(
    {
      name: command?.name ?? kind,
      kind,
      request,
      ask: (engine, asked) => engine.startAny(kind, asked),
      find: (engine, id) => engine.findAny(kind, id),
      ...(progress?.lines && { done: progress.lines }),
      text: (data, status) => command?.print?.(data, status.request) ?? JSON.stringify(data, null, 2),
    },
    flags,
    shell,
  )
}

const lookEvery = 300

async function follow<Status extends AnyStatus>(
  question: Question<Status>,
  flags: AnswerFlags,
  shell: Shell,
): Promise<number> {
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
  readonly engine: Engine
  readonly shell: Shell
  readonly signal: AbortSignal
}

/** Says what is done as it is done. Gives nothing when that was interrupted. */
async function untilEnd<Status extends AnyStatus>(
  question: Question<Status>,
  job: Answering<Status>,
  { engine, shell, signal }: Looking,
): Promise<Status | undefined> {
  const { done, name } = question
  const progress = done ? undefined : openProgress(shell)
  const standing = await engine.findJob(job.id)
  let told = 0
  try {
    for (;;) {
      const status = await job.status()
      const lines = done?.(status) ?? []
      for (const line of lines.slice(told)) shell.err(`${shell.paint.err('quiet', '·')} ${printable(line)}\n`)
      told = lines.length
      if (status.status !== 'processing') return status
      progress?.show(standingOf(await standing.status(), name))
      if (!(await pause(signal))) return undefined
    }
  } finally {
    progress?.end()
  }
}

function standingOf({ completed: done, failed, total, creditsUsed: credits }: JobStatus, url: string) {
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

async function tell<Status extends AnyStatus>(
  { name, text }: Question<Status>,
  status: Status,
  { flags, shell, took }: Telling,
): Promise<number> {
  const { data, error, creditsUsed } = status
  if (data === undefined || status.status !== 'completed') {
    const why = error ?? (status.status === 'cancelled' ? 'It was cancelled.' : 'It came to nothing.')
    if (flags.json) shell.out(`${JSON.stringify(status)}\n`)
    shell.err(`${shell.paint.err('bad', `✗ ${name}: ${printable(why)}`)}\n`)
    return exitCodes.notLoaded
  }
  const printed = flags.json ? JSON.stringify(status) : text(data as NonNullable<Status['data']>, status)
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
