import type { Json } from '@harvestman/ports'
import { webhookSchema, type Webhook } from '../../schema/webhook.ts'
import type { Opening } from '../log/facts.ts'

/** Where a job is to tell of itself: the same word in the requests of all kinds; else where the operator wants to know. */
export function webhookOf(
  { id, request }: Pick<Opening, 'id' | 'request'>,
  { webhook }: { readonly webhook?: string | undefined },
): Webhook | undefined {
  const own = (request as { readonly webhook?: Json }).webhook as Webhook | undefined
  if (own || webhook === undefined) return own
  return webhookSchema.parse(webhook.replaceAll('{{JOB_ID}}', id))
}
