// An agent looks for an answer on the web: a language model chooses what is searched, listed and read, step by step.
import { answerDoor, answerJob, answerOf, firstValue, readKept, tellingOf, type AnswerJob } from '../answers/answer.ts'
import type { AnswerStatus } from '../plugin/job.ts'
import type { WebKit } from '../answers/web-kit.ts'
import { workStrategy } from '../answers/work-strategy.ts'
import { EngineError, type Json } from '@harvestman/ports'
import type { Job } from '../jobs/handle.ts'
import type { JobCaller, Jobs } from '../jobs/jobs.ts'
import type { Fact } from '../jobs/log/facts.ts'
import type { JobKind } from '../jobs/run/strategy.ts'
import { agentSchema, type AgentRequest } from '../schema/agent-request.ts'
import type { AgentAct, AgentNote } from './notes.ts'
import { agentLimits, runAgent } from './run.ts'

export type AgentHandle<Data = Json> = AnswerJob<AgentStatus<Data>>

export interface AgentStatus<Data = Json> extends AnswerStatus<Data> {
  /** What it did, in order. */
  readonly acts: readonly AgentAct[]
  readonly request: AgentRequest
}

export interface AgentKit {
  readonly jobs: Jobs
  readonly web: WebKit
}

const agentKind = 'agent'

const door = answerDoor({ kind: agentKind, what: 'agent' }, handleOf)

export const findAgent = door.find

/** Opens the job of an agent. */
export async function openAgent(request: AgentRequest, call: JobCaller, { jobs, web }: AgentKit): Promise<AgentHandle> {
  requireAgentParts(request, web)
  const about = request.urls[0] ?? request.prompt
  const credits = Math.min(agentLimits.credits, request.maxCredits)
  return door.open({ about, request, credits }, call, jobs)
}

export function agentJobs(web: WebKit): JobKind {
  return {
    name: agentKind,
    eventPrefix: 'agent',
    telling: tellingOf(async (job) => ({ creditsUsed: await job.creditsUsed(), data: await firstValue(job) }), {
      isAction: (fact) => actIn(fact) !== undefined,
      action: (fact) => {
        const { action = '', input = null, creditsUsed = 0 } = actIn(fact) ?? {}
        return { creditsUsed, action, input }
      },
      ended: [{ creditsUsed: 0 }],
    }),
    open: (opening, context) => {
      const request = readKept(agentSchema, opening.request)
      return workStrategy<AgentNote>({
        opening,
        context,
        address: request.urls[0] ?? 'about:agent',
        credits: Math.min(agentLimits.credits, request.maxCredits),
        maxCredits: request.maxCredits,
        run: (work) => runAgent(request, work, web),
      })
    },
  }
}

function actIn(fact: Fact): AgentAct | undefined {
  if (fact.is !== 'noted') return undefined
  return (fact.note as { readonly step?: AgentNote }).step?.act
}

function handleOf(job: Job, team: string, jobs: Jobs): AgentHandle {
  return answerJob(job, async (status) => {
    const acts: AgentAct[] = []
    for await (const fact of jobs.facts(job.id, team)) acts.push(...[actIn(fact) ?? []].flat())
    const request = readKept(agentSchema, status.request)
    return { ...(await answerOf(job, status, firstValue)), acts, request }
  })
}

/** What an agent cannot do without is asked for before anything is begun. */
export function requireAgentParts({ urls }: AgentRequest, { llm, hasSearch }: Pick<WebKit, 'llm' | 'hasSearch'>): void {
  if (!llm) {
    const sentence =
      'An agent needs a language model: createEngine({ llm }), for example chatLLM() of @harvestman/llm; on a server set ' +
      'OPENAI_API_KEY, or OPENAI_BASE_URL and MODEL_NAME, or OLLAMA_BASE_URL.'
    throw new EngineError('not_configured', sentence, { details: { port: 'llm', because: 'An agent' } })
  }
  if (hasSearch || urls.length > 0) return
  const sentence =
    'An agent without urls needs something to search: give urls, or createEngine({ search }), for example ' +
    'searxng({ endpoint }); on a server set SEARXNG_ENDPOINT.'
  throw new EngineError('not_configured', sentence, { details: { port: 'search', because: 'An agent without urls' } })
}
