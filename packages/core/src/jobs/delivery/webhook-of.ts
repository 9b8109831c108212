import type { Json } from '@harvestman/ports'
import { webhookSchema, type Webhook } from '../../schema/webhook.ts'
import type { Opening } from '../log/facts.ts'

/** Returns the webhook of a job: its own option `webhook`, or the operator's default. */
export function webhookOf(
  { id, request }: Pick<Opening, 'id' | 'request'>,
  { webhook }: { readonly webhook?: string | undefined },
): Webhook | undefined {
  const own = (request as { readonly webhook?: Json }).webhook as Webhook | undefined
  if (own || webhook === undefined) return own
  return webhookSchema.parse(webhook.replaceAll('{{JOB_ID}}', id))
}
