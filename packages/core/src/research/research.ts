// Research: a question is searched for, what is found is read, and a language model says what is missing, round by round.
import { answerDoor, answerJob, answerOf, firstValue, readKept, tellingOf, type AnswerJob } from '../answers/answer.ts'
import type { AnswerStatus } from '../plugin/job.ts'
import type { WebKit } from '../answers/web-kit.ts'
import { workStrategy } from '../answers/work-strategy.ts'
import { tariff } from '../credits/tariff.ts'
import { EngineError, type Json } from '@harvestman/ports'
import type { Job } from '../jobs/handle.ts'
import type { JobCaller, Jobs } from '../jobs/jobs.ts'
import type { JobKind } from '../jobs/run/strategy.ts'
import { researchSchema, type ResearchRequest } from '../schema/research.ts'
import type { ResearchActivity, ResearchData, ResearchNote, ResearchSource } from './notes.ts'
import { runResearch } from './run.ts'

export type Research<Value = Json> = AnswerJob<ResearchStatus<Value>>

export interface ResearchStatus<Value = Json> extends AnswerStatus<ResearchData<Value>> {
  readonly activities: readonly ResearchActivity[]
  /** Pages that were read. */
  readonly sources: readonly ResearchSource[]
  readonly depth: number
  readonly request: ResearchRequest
}

const researchKind = 'deep_research'

const door = answerDoor({ kind: researchKind, what: 'research' }, handleOf)

export const findResearch = door.find

export async function openResearch(
  request: ResearchRequest,
  call: JobCaller,
  { jobs, web }: { readonly jobs: Jobs; readonly web: WebKit },
): Promise<Research> {
  requireResearchParts(web)
  return door.open({ about: request.query, request, credits: tariff.page }, call, jobs)
}

export function researchJobs(web: WebKit): JobKind {
  return {
    name: researchKind,
    eventPrefix: researchKind,
    telling: tellingOf(firstValue),
    open: (opening, context) => {
      const request = readKept(researchSchema, opening.request)
      return workStrategy<ResearchNote>({
        opening,
        context,
        address: 'about:research',
        credits: tariff.page,
        maxCredits: request.maxCredits,
        run: (work) => runResearch(request, work, web),
      })
    },
  }
}

function handleOf(job: Job, team: string, jobs: Jobs): Research {
  return answerJob(job, async (status) => {
    const activities: ResearchActivity[] = []
    const sources: ResearchSource[] = []
    for await (const fact of jobs.facts(job.id, team)) {
      if (fact.is !== 'noted') continue
      const { activity, finding } = (fact.note as { readonly step: ResearchNote }).step
      if (activity) activities.push(activity)
      if (finding) sources.push(finding.source)
    }
    const depth = Math.max(0, ...activities.map((one) => one.depth))
    // Cast: the one document of this kind of job, which runResearch wrote.
    const answer = await answerOf(job, status, async (one) => (await firstValue(one)) as unknown as ResearchData)
    return { ...answer, activities, sources, depth, request: readKept(researchSchema, status.request) }
  })
}

/** What research cannot do without is asked for before anything is begun. */
export function requireResearchParts({ llm, hasSearch }: Pick<WebKit, 'llm' | 'hasSearch'>): void {
  const because = 'Research'
  if (!llm) {
    const sentence =
      'Research needs a language model: createEngine({ llm }), for example chatLLM() of @harvestman/llm; on a server set ' +
      'OPENAI_API_KEY, or OPENAI_BASE_URL and MODEL_NAME, or OLLAMA_BASE_URL.'
    throw new EngineError('not_configured', sentence, { details: { port: 'llm', because } })
  }
  if (hasSearch) return
  const sentence =
    'Research needs something to search: createEngine({ search }), for example searxng({ endpoint }); on a server set SEARXNG_ENDPOINT.'
  throw new EngineError('not_configured', sentence, { details: { port: 'search', because } })
}
