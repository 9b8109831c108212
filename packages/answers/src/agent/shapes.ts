// Parts of responses that several endpoints of agents have.
import type { Claim, StatusOfPart } from '@harvestman/core/plugin'
import { z } from 'zod'

import type { AgentAct, StopReason } from './notes.ts'
import type { AgentRequest } from './request.ts'

export const modeWord = z.enum(['extract', 'chat'])

export const exchangeSummary = z.object({
  enabled: z.literal(false),
  paidCalls: z.literal(0),
  creditsUsed: z.null(),
})

/** The summary of a run with `exchange`: no paid call is ever made. */
export const noExchange = { enabled: false, paidCalls: 0, creditsUsed: null } as const

/** Returns the message of a completed chat: its text, or its data as JSON. */
export function messageOf(data: unknown): string {
  return typeof data === 'string' ? data : JSON.stringify(data)
}

/** Properties that only the status of an agent run has. */
interface AgentProgress {
  readonly acts: readonly AgentAct[]
  readonly threadId?: string | undefined
  readonly threadTurn?: number | undefined
  readonly stopReason?: StopReason | undefined
  readonly partial?: unknown
  readonly partialSchemaValid?: boolean | undefined
  readonly claims?: readonly Claim[] | undefined
}

/** The status of a run. */
export type AgentStatus = StatusOfPart<unknown, AgentProgress, AgentRequest>
