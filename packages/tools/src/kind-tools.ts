// Tools for the job kinds of the server's plugins, generated from the server's description.
import { z } from 'zod'

import { ours, truncateToBudget, type Answer } from './answer.ts'
import { defaultResponseTokens } from './budget.ts'
import { jobId, pollInterval, maxWait } from './job-tools.ts'
import { maxTokens } from './page-tools.ts'
import { restoreRequest, slimRequest } from './slim-schema.ts'
import { defineTool, type Abilities, type DescribedTool, type Tool, type ToolContext } from './tool.ts'
import { ApiRefusal, type WebApi } from './web-api.ts'

interface AnswerSchema {
  readonly contentMediaType?: string
  readonly properties?: Readonly<Record<string, AnswerSchema>>
}

/** A kind of job in the server's description. */
export interface ServedKind {
  readonly kind: string
  readonly title: string
  readonly description: string
  readonly path: string
  /** Required ports; absent on older servers. */
  readonly needs?: readonly string[]
  readonly request: Readonly<Record<string, unknown>>
  readonly answer: AnswerSchema
}

/** State of a job. */
export interface JobState {
  readonly status: 'processing' | 'completed' | 'failed' | 'cancelled'
  readonly data?: unknown
  readonly error?: string
  readonly creditsUsed?: number
}

/** The server's description of itself. */
export interface Served {
  readonly kinds: readonly ServedKind[]
  /** Absent if the server does not describe them. */
  readonly abilities?: Abilities
}

/** Path of the server's description. */
export const servedPath = '/v2/kinds'

/**
 * Returns the job kinds and abilities of the server; none if the server does not describe them, or does not respond within 5
 * seconds. In that case each call reports the problem.
 */
export async function servedOf(api: WebApi): Promise<Served> {
  try {
    const { kinds = [], abilities } = await api.get<Partial<Served>>(servedPath, AbortSignal.timeout(5_000))
    return { kinds, ...(abilities && { abilities }) }
  } catch {
    return { kinds: [] }
  }
}

/**
 * Returns a tool for each job kind, unless the schema of its request has `forModels: false`, and the one that reads their
 * results. None without job kinds.
 */
export function kindTools(kinds: readonly ServedKind[]): readonly (Tool | DescribedTool)[] {
  const forModels = kinds.filter(({ request }) => request['forModels'] !== false)
  return kinds.length > 0 ? [...forModels.map(kindTool), answerTool(kinds)] : []
}

function kindTool(kind: ServedKind): DescribedTool {
  return {
    name: kind.kind.replaceAll('-', '_'),
    title: kind.title,
    description: `${kind.description} After ${maxWait / 1_000} s, returns an id for answer.`,
    isReadOnly: false,
    isDestructive: false,
    needs: { ports: kind.needs ?? [] },
    described: slimRequest(kind.request),
    run: async (given, context) => {
      const request = restoreRequest(kind.request, given)
      const { id } = await context.api.post<{ id: string }>(kind.path, request, context.signal)
      return tell(kind, id, { state: await untilDone(kind, id, context), tokens: defaultResponseTokens, offset: 0 })
    },
  }
}

function answerTool(kinds: readonly ServedKind[]): Tool {
  return defineTool({
    name: 'answer',
    title: 'The answer of a job',
    description: `Returns the result of a job, or that it still runs. For ${kinds.map(({ kind }) => kind).join(', ')}.`,
    input: z.object({
      id: jobId,
      offset: z.int().min(0).default(0).describe('Where to continue, from the last result.'),
      maxTokens,
    }),
    run: async ({ id, offset, maxTokens }, context) => {
      const { job } = await context.api.get<{ job: { kind: string } }>(
        `/v2/jobs/${encodeURIComponent(id)}`,
        context.signal,
      )
      const kind = kinds.find((one) => one.kind === job.kind)
      if (!kind) return [ours(`This job is of the kind ${job.kind}. Read it with job {"id": "${id}"}.`)]
      return tell(kind, id, { state: await stateOf(kind, id, context), tokens: maxTokens, offset })
    },
  })
}

function stateOf({ path }: Pick<ServedKind, 'path'>, id: string, { api, signal }: ToolContext): Promise<JobState> {
  return api.getState<JobState>(`${path}/${encodeURIComponent(id)}`, signal)
}

/** Returns the state of a job once it has ended, or after 45 seconds. Reports the progress meanwhile. */
export async function untilDone(
  kind: Pick<ServedKind, 'path' | 'title'>,
  id: string,
  context: ToolContext,
): Promise<JobState> {
  const began = performance.now()
  for (;;) {
    const state = await stateOf(kind, id, context)
    const took = performance.now() - began
    context.progress(Math.round(took / 1_000), undefined, `${kind.title}: ${state.status}`)
    if (state.status !== 'processing' || took > maxWait) return state
    await new Promise((go) => setTimeout(go, pollInterval))
    context.signal.throwIfAborted()
  }
}

interface Telling {
  readonly state: JobState
  readonly tokens: number
  readonly offset: number
}

function tell(kind: ServedKind, id: string, { state, tokens, offset }: Telling): Answer {
  const { status, data, error, creditsUsed } = state
  if (status === 'failed') throw new ApiRefusal('JOB_FAILED', error ?? 'The job failed and gave no reason.', 200)
  const credits = creditsUsed === undefined ? '' : `, ${creditsUsed} credits`
  const next = status === 'processing' ? ` It goes on; read it later with answer {"id": "${id}"}.` : ''
  const head = ours(`Job ${id}: ${status}${credits}.${next}`)
  if (data === undefined || data === null) return [head]
  const readOn = (from: number): string => `answer {"id": "${id}", "offset": ${from}}`
  return [head, ...truncateToBudget(textOf(kind.answer, data), kind.kind, tokens, offset, readOn)]
}

/** Formats a result: its Markdown fields unchanged, the rest as JSON. */
function textOf(schema: AnswerSchema, data: unknown): string {
  if (typeof data === 'string') return data
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return JSON.stringify(data, null, 2)
  const entries = Object.entries(data)
  const isText = ([name, value]: readonly [string, unknown]): boolean =>
    typeof value === 'string' && schema.properties?.[name]?.contentMediaType === 'text/markdown'
  const rest = entries.filter((entry) => !isText(entry))
  const texts = entries.filter(isText).map(([, text]) => String(text))
  return [...texts, ...(rest.length > 0 ? [JSON.stringify(Object.fromEntries(rest), null, 2)] : [])].join('\n\n')
}
