// Notification settings of a monitor.
import { webhookHeaders, webUrl } from '@harvestman/core/plugin'
import { z } from 'zod'

const texts = z.record(z.string().max(200), z.string().max(2_000))

const monitorEvents = ['monitor.page', 'monitor.check.completed'] as const

const webhookObject = z
  .strictObject({
    url: webUrl.meta({ title: 'URL', description: 'The URL that receives the messages.' }),
    headers: webhookHeaders.default({}),
    metadata: texts
      .meta({ title: 'Metadata', description: 'Strings that are added to each message.', maxProperties: 100 })
      .default({}),
    events: z
      .array(z.enum(monitorEvents))
      .min(1)
      .max(10)
      .meta({ title: 'Events', description: 'The events to send.', defaultText: 'both' })
      .default([...monitorEvents]),
  })
  .meta({ id: 'MonitorWebhook', title: 'Webhook' })

/** The webhook of a monitor: an object, or just its URL. */
export const webhook = z.union([webUrl.transform((url) => webhookObject.parse({ url })), webhookObject]).meta({
  title: 'Webhook',
  description: 'The URL that receives the events of the monitor, or an object with more options.',
})

const email = z
  .email()
  .max(254)
  .transform((address) => address.toLowerCase())

/** Notification channels in addition to the webhook. */
export const notification = z
  .strictObject({
    email: z
      .strictObject({
        enabled: z.boolean().default(false),
        recipients: z
          .array(email)
          .max(25)
          .transform((addresses) => [...new Set(addresses)])
          .default([]),
        includeDiffs: z.boolean().default(false),
      })
      .meta({ title: 'E-mail', description: 'Recipients of a mail when a page has changed.' })
      .optional(),
    slack: z
      .strictObject({
        enabled: z.boolean().default(false),
        channelId: z.string().min(1).max(64).optional(),
        channelName: z.string().max(128).optional(),
        url: webUrl.optional(),
      })
      .refine(({ enabled, channelId, url }) => !enabled || channelId !== undefined || url !== undefined, {
        message: 'needs the url of an incoming webhook, or a channelId',
      })
      .meta({
        title: 'Chat',
        description: 'The incoming webhook of Slack, or of a service with the same JSON, that receives changes.',
      })
      .optional(),
    file: z
      .boolean()
      .meta({ title: 'File', description: 'Also write each message to a file on the server.' })
      .optional(),
  })
  .meta({ id: 'MonitorNotification', title: 'Notification', description: 'Notifications in addition to the webhook.' })

export type MonitorWebhook = z.output<typeof webhookObject>
export type Notification = z.output<typeof notification>
