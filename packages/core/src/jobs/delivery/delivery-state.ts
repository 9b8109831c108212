import { hash } from 'node:crypto'

import type { Store } from '@harvestman/ports'
import { formatTime } from '../log/refusals.ts'
import { type Unsent, readOutbox } from '@harvestman/webhooks'
import { eventIdOf } from './notice-id.ts'
import type { Opening } from '../log/facts.ts'
import type { UnsentMessage, WebhookState } from '../handle.ts'
import { jobKey } from '../log/storage.ts'

/**
 * Returns the messages of a job that its webhook has not accepted. Both lists are empty for a job without such messages.
 * Rejects if the store fails.
 */
export async function deliveryState({ id }: Pick<Opening, 'id'>, store: Store): Promise<WebhookState> {
  const { pending, dead, isStopped } = await readOutbox(store, jobKey(id))
  const say = ({ id: notice, tries, why }: Unsent): UnsentMessage => ({
    event: eventIdOf(notice),
    webhookId: deliveryId(id, notice),
    tries,
    ...(why !== undefined && { error: why }),
  })
  const waiting = pending.map((one) => ({
    ...say(one),
    ...(!isStopped && { nextTry: formatTime(one.at) }),
  }))
  return { pending: waiting, dead: dead.map(say), isStopped }
}

/**
 * Returns the webhook id of a message: a UUID derived from the job and the id of the message (see `noticeId`), the same for
 * every attempt.
 */
export function deliveryId(job: string, event: string): string {
  const hex = hash('sha256', `${job}/${event}`, 'hex')
  const variant = ((Number.parseInt(hex.slice(16, 18), 16) & 0x3f) | 0x80).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(18, 20)}-${hex.slice(20, 32)}`
}
