import type { AgentHandle } from '../agent/agent.ts'
import type { FindAnswer, JobCall } from './job-call.ts'
import type { Research } from '../research/research.ts'
import { agentSchema } from '../schema/agent-request.ts'
import { researchSchema } from '../schema/research.ts'

/** Jobs that have one answer, for requests that come from elsewhere: they are checked, whatever they are. */
export interface AnswerDoors {
  agentAny(request: unknown, call?: JobCall): Promise<AgentHandle>
  findAgent(id: string, call?: FindAnswer): Promise<AgentHandle>
  researchAny(request: unknown, call?: JobCall): Promise<Research>
  findResearch(id: string, call?: FindAnswer): Promise<Research>
}

export const answerSchemas = { agent: agentSchema, research: researchSchema }
