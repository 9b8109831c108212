// What an extract may use of the web beside the pages that it is given.
import { randomUUID } from 'node:crypto'

import { openAgent } from '../agent/agent.ts'
import type { WebKit } from '../answers/web-kit.ts'
import type { ExtractKit } from '../extract/kit.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { agentSchema } from '../schema/agent-request.ts'
import { check } from '../schema/problems.ts'

export function partsOfExtracts(jobs: Jobs, web: WebKit): Pick<ExtractKit, 'search' | 'agent'> {
  const search: ExtractKit['search'] = async (words, limit, team) => {
    const id = randomUUID()
    const found = await web.search(words, limit, { team, id, task: id, signal: undefined, keep: false })
    return found.map(({ url }) => url)
  }
  return {
    search: web.hasSearch ? search : undefined,
    agent: (request, call) => openAgent(check(agentSchema, request), call, { jobs, web }),
  }
}
