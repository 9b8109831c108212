import type { Json } from '@harvestman/ports'
import { check } from '../../schema/problems.ts'
import { webhookSchema, type Webhook } from '../../schema/webhook.ts'
import { isInternal } from '../log/internal.ts'
import type { JobKit } from '../kit.ts'
import type { Opening } from '../log/facts.ts'

/**
 * Returns the webhook of a job: its own option `webhook`, or the operator's default. `undefined` if there is none, and for work
 * of features. Throws `invalid_request` if the operator's default is invalid.
 */
export function webhookOf(
  { id, kind, request }: Pick<Opening, 'id' | 'kind' | 'request'>,
  { webhook }: Pick<JobKit, 'webhook'>,
): Webhook | undefined {
  if (isInternal(kind)) return undefined
  const own = (request as { readonly webhook?: Json }).webhook as Webhook | undefined
  if (own || webhook === undefined) return own
  return defaultWebhook(webhook, id)
}

/** An id to check a webhook with, before there is a job. */
export const exampleId = '00000000-0000-7000-8000-000000000000'

/**
 * Returns the operator's default webhook for a job: the template with `{{JOB_ID}}` replaced. Throws `invalid_request` if it is
 * invalid.
 */
export function defaultWebhook(template: string, id: string): Webhook {
  return check(webhookSchema, template.replaceAll('{{JOB_ID}}', id))
}
