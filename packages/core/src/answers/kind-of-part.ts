// A kind of job that a plugin brings, as the rooms of jobs know kinds.
import type { z } from 'zod'

import { tariff } from '../credits/tariff.ts'
import type { Job } from '../jobs/handle.ts'
import type { Opening } from '../jobs/log/facts.ts'
import type { JobKind, RunContext, Strategy } from '../jobs/run/strategy.ts'
import type { JobPart } from '../plugin/job.ts'
import type { PageRequest } from '../schema/crawl.ts'
import type { Json } from '@harvestman/ports'
import { firstValue, readKept, tellingOf, type StepTelling } from './answer.ts'
import { requirePorts, servicesFor } from './part-ports.ts'
import { workFor } from './part-work.ts'
import { visitStrategy } from './visit-strategy.ts'
import type { WebKit } from './web-kit.ts'
import { workStrategy } from './work-strategy.ts'

/** What kinds of plugins work with. */
export interface PartKit {
  readonly web: WebKit
  /** What an engine has for each port, by its name. */
  readonly ports: ReadonlyMap<string, unknown>
}

export function kindOfPart(part: JobPart, kit: PartKit): JobKind {
  return {
    name: part.kind,
    eventPrefix: part.kind,
    asked: async ({ request }) => askedIn(request),
    telling: tellingOf(async (job) => {
      const answer = await answerIn(job, part, requestOf(part, job.opening.request))
      // Cast: the answer of a part is what its schema, which is one of JSON, has read.
      return part.tells.answer?.(answer, await job.creditsUsed()) ?? (answer as Json)
    }, stepsOf(part)),
    open: (opening, context) => strategyOf(part, { opening, context, kit }),
  }
}

/** What a job was asked for, as its schema reads it. */
export function requestOf({ request }: JobPart, kept: unknown): unknown {
  return readKept(request, askedIn(kept))
}

/** Beside what was asked for, the options of each page are kept. */
function askedIn(kept: unknown): Json {
  const { page: _, ...asked } = kept as { readonly page?: PageRequest } & Readonly<Record<string, Json>>
  return asked
}

/** The answer of a job that has ended, made of the documents that it left. */
export async function answerIn(
  job: Pick<Job, 'documents'>,
  { answer, way }: Pick<JobPart, 'answer' | 'way'>,
  request: unknown,
): Promise<unknown> {
  if (way.is === 'work') return firstValue(job)
  const values: unknown[] = []
  for await (const { json, metadata } of job.documents()) if (metadata.statusCode < 400) values.push(json)
  return answer.parse(way.join(values, request))
}

function stepsOf({ tells: { step, noAnswer } }: JobPart): StepTelling {
  const told = (fact: Parameters<StepTelling['action']>[0]): Json | undefined =>
    fact.is === 'noted' ? step?.((fact.note as { readonly step?: unknown }).step) : undefined
  return {
    isAction: (fact) => told(fact) !== undefined,
    action: (fact) => told(fact) ?? null,
    ended: noAnswer === undefined ? [] : [noAnswer],
  }
}

interface Opened {
  readonly opening: Opening
  readonly context: RunContext
  readonly kit: PartKit
}

function strategyOf(part: JobPart, { opening, context, kit: { web, ports } }: Opened): Strategy {
  const { way, answer, kind } = part
  const request = requestOf(part, opening.request)
  const services = servicesFor(part, ports)
  const ready = (): void => requirePorts(part, request, ports)
  if (way.is === 'visits') return visitStrategy({ visits: way, request, services, opening, context, ready })
  return workStrategy<unknown>({
    opening,
    context,
    address: `about:${kind}`,
    credits: part.holds?.(request) ?? tariff.page,
    maxCredits: (request as { readonly maxCredits?: number }).maxCredits,
    run: async (work) => {
      ready()
      return (answer as z.ZodType<Json>).parse(await way.run(request, workFor(work, services, web)))
    },
  })
}
