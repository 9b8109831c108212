import { z } from 'zod'

import { headers, webUrl } from './scrape.ts'

/** Events of a job: `page` if it loads pages, `action` for agents. `cancelled` is the last event of a cancelled job. */
export const webhookEvents = ['started', 'page', 'action', 'completed', 'failed', 'cancelled'] as const

export type WebhookEvent = (typeof webhookEvents)[number]

const maxMetadataLength = 16_384
const maxMetadataKeys = 100
const maxEvents = 30

/** An event name. A prefix with the kind of job, such as `crawl.page`, is accepted and removed. */
const event = z
  .union([z.enum(webhookEvents), z.templateLiteral([z.string().min(1).max(64), '.', z.enum(webhookEvents)])], {
    error: `must be one of ${webhookEvents.join(', ')}, alone or behind a kind of job and a dot, as crawl.page`,
  })
  .transform((name) => name.slice(name.indexOf('.') + 1) as WebhookEvent)

const metadata = z
  .record(z.string(), z.string())
  .meta({ maxProperties: maxMetadataKeys })
  .superRefine((value, context) => {
    if (JSON.stringify(value).length <= maxMetadataLength) return
    context.addIssue({
      code: 'custom',
      message: `is sent with every event; at most ${maxMetadataLength} characters are allowed`,
    })
  })

const ofProof = /^(?:webhook-|x-firecrawl-signature$)/

/** Headers of webhook messages. Headers that authenticate the sender cannot be set. */
export const webhookHeaders = headers
  .superRefine((given, context) => {
    const name = Object.keys(given).find((one) => ofProof.test(one))
    if (name === undefined) return
    context.addIssue({
      code: 'custom',
      message: `The header ${JSON.stringify(name)} cannot be set: it proves where a message comes from. Remove it.`,
    })
  })
  .meta({ id: 'WebhookHeaders', title: 'Headers', description: 'Headers sent with each message.', secret: true })

const webhookObject = z
  .strictObject({
    url: webUrl.meta({ title: 'Address', description: 'The URL that receives the messages.' }),
    headers: webhookHeaders.default({}),
    metadata: metadata
      .meta({ title: 'Metadata', description: 'Your own values, included in each message.' })
      .default({}),
    events: z
      .array(event)
      .min(1)
      .max(maxEvents)
      .transform((words) => [...new Set(words)])
      .meta({ title: 'Events', description: 'The events to send.', defaultText: 'all' })
      .default([...webhookEvents]),
  })
  .meta({ id: 'Webhook', title: 'Webhook' })

/** Webhook of a job: a URL or an object with more options. A URL is converted to the object. */
export const webhookSchema = z
  .union([z.string().transform((url, context) => parseUrl(url, context)), webhookObject])
  .meta({
    title: 'Webhook',
    description: 'The receiver of events: a URL, or an object with more options.',
    group: 'Webhook',
  })

function parseUrl(url: string, context: z.core.$RefinementCtx<string>): Webhook {
  const read = webhookObject.safeParse({ url })
  if (read.success) return read.data
  // Report the problem at `url`, the field of the object that the string is converted to.
  context.addIssue({ code: 'custom', path: ['url'], message: read.error.issues[0]?.message ?? 'Invalid URL' })
  return z.NEVER
}

export type Webhook = z.output<typeof webhookObject>
