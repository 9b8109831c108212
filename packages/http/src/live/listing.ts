import { endReasons, executeSchema, type SessionEndReason, type SessionRecord } from '@harvestman/live'
import { z } from 'zod'

import type { RouteCall } from '../route/route.ts'
import { liveOf } from './live-of.ts'
import { urlsOf } from './urls.ts'

const listed = z.object({
  id: z.string(),
  status: z.enum(['active', 'destroyed']),
  cdpUrl: z.string(),
  liveViewUrl: z.string(),
  interactiveLiveViewUrl: z.string(),
  streamWebView: z.boolean(),
  createdAt: z.string(),
  lastActivity: z.string(),
})

export const listSchema = z.object({ success: z.literal(true), sessions: z.array(listed) })

export const oneSchema = listed.omit({ status: true }).extend({
  success: z.literal(true),
  status: z.enum(['running', 'stopped']),
  expiresAt: z.string(),
  languages: z
    .array(executeSchema.shape.language.unwrap())
    .optional()
    .describe('While it runs: the languages that code for it may be in.'),
  sessionDurationMs: z.number().optional(),
  creditsBilled: z.number().optional(),
  endedAt: z.string().optional(),
  endReason: z
    .enum(Object.keys(endReasons) as [SessionEndReason])
    .optional()
    .describe('Why it ended, where that is known.'),
})

type Asked = Pick<RouteCall, 'engine' | 'team' | 'at'>

export async function showListed(record: SessionRecord, call: Asked): Promise<z.input<typeof listed>> {
  const { id, streamWebView, createdAt, lastActivity, end } = record
  const urls = end ? undefined : await urlsFor(record, call)
  return {
    id,
    status: end ? 'destroyed' : 'active',
    // A browser that has ended has no address, and one of another engine is only known there.
    cdpUrl: urls?.cdpUrl ?? '',
    liveViewUrl: urls?.liveViewUrl ?? '',
    interactiveLiveViewUrl: urls?.interactiveLiveViewUrl ?? '',
    streamWebView,
    createdAt: new Date(createdAt).toISOString(),
    lastActivity: new Date(lastActivity).toISOString(),
  }
}

export async function showOne(record: SessionRecord, call: Asked): Promise<z.input<typeof oneSchema>> {
  const { end, expiresAt } = record
  const { status: _, ...shown } = await showListed(record, call)
  return {
    ...shown,
    success: true,
    status: end ? 'stopped' : 'running',
    expiresAt: new Date(expiresAt).toISOString(),
    ...(!end && { languages: [...(await liveOf(call.engine).languages())] }),
    ...(end && {
      sessionDurationMs: end.duration,
      creditsBilled: end.credits,
      endedAt: new Date(end.at).toISOString(),
      ...(end.reason && { endReason: end.reason }),
    }),
  }
}

async function urlsFor({ id }: SessionRecord, { engine, team, at }: Asked) {
  try {
    return urlsOf(at, await liveOf(engine).find(id, { team }))
  } catch {
    return undefined
  }
}
