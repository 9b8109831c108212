// What an extract may use of the web beside the pages that it is given.
import { randomUUID } from 'node:crypto'

import type { AnswerJob } from '../answers/answer.ts'
import type { WebKit } from '../answers/web-kit.ts'
import type { ExtractKit } from '../extract/kit.ts'
import type { AnswerStatus } from '../plugin/job.ts'
import type { KindDoors } from './answers.ts'

/** The kind of job that stands in for an extract that asks for one. */
const standIn = 'agent'

export function partsOfExtracts(kinds: Pick<KindDoors, 'open'>, web: WebKit): Pick<ExtractKit, 'search' | 'agent'> {
  const search: ExtractKit['search'] = async (words, limit, team) => {
    const id = randomUUID()
    const found = await web.search(words, limit, { team, id, task: id, signal: undefined, keep: false })
    return found.map(({ url }) => url)
  }
  return {
    search: web.hasSearch ? search : undefined,
    // Cast: the answer of a kind is JSON.
    agent: (request, call) => kinds.open(standIn, request, call) as Promise<AnswerJob<AnswerStatus>>,
  }
}
