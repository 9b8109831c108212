// Notification channels of a check: webhook, Slack, e-mail and file. Each has its own outbox.
import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'

import { errorMessage } from '@harvestman/toolbox/error-message'
import { makePrivateFolder, privateFile } from '@harvestman/toolbox/private-files'
import { send, type Delivery, type Source } from '@harvestman/webhooks'

import type { MonitorKit } from '../kit.ts'
import { bodyOf, eventsOf, messageId } from './events.ts'
import { mailOf } from './mail.ts'
import type { LinkTo } from '../email/links.ts'
import type { MailRule } from './mail-rule.ts'
import { cutText, slackText } from './slack.ts'
import type { SendMail } from './smtp.ts'
import { subscriptionOf } from './subscriptions.ts'
import { notificationLine, notificationTitle, type Notification } from './notification.ts'

/** A channel: the messages it sends and how it sends them. */
export interface Channel {
  readonly name: 'webhook' | 'slack' | 'email' | 'file'
  readonly source: Source
  readonly send: (id: string, signal: AbortSignal) => Promise<Delivery>
}

/** Mail and file settings of the operator. */
export interface Senders {
  readonly mail: SendMail | undefined
  readonly ruleOf: MailRule
  readonly linkTo: LinkTo | undefined
  /** Folder for message files. */
  readonly folder: string | undefined
}

const allEvents = ['monitor.page', 'monitor.check.completed']

/**
 * Returns the channels that are enabled for a check; none if it has no notifications. Slack and mail need at least one page to
 * notify about. Mails go to `recipients`.
 */
export function channelsOf(
  notification: Notification,
  recipients: readonly string[],
  senders: Senders,
  kit: MonitorKit,
): readonly Channel[] {
  return [
    ...webhookOf(notification, kit),
    ...slackOf(notification, kit),
    ...emailOf(notification, recipients, senders, kit),
    ...fileOf(notification, senders, kit),
  ]
}

function webhookOf({ record: { webhook, team }, check }: Notification, kit: MonitorKit): readonly Channel[] {
  if (!webhook) return []
  const sender = senderOf(team, kit)
  return [
    {
      name: 'webhook',
      source: eventsOf(check, webhook.events, kit),
      send: async (id, signal) => {
        const body = await bodyOf(id, check, webhook.metadata, kit)
        return body ? send(webhook, { id: messageId(check.id, id), body }, sender, signal) : 'lost'
      },
    },
  ]
}

function slackOf(notification: Notification, kit: MonitorKit): readonly Channel[] {
  const { url, enabled = false } = notification.record.notification?.slack ?? {}
  if (!enabled || url === undefined || notification.pages.length === 0) return []
  const lines = notification.pages.slice(0, 20).map((page) => `• ${slackText(notificationLine(page))}`)
  const text = [`*${slackText(notificationTitle(notification))}*`, ...lines].join('\n')
  const body = Buffer.from(
    JSON.stringify({ text, blocks: [{ type: 'section', text: { type: 'mrkdwn', text: cutText(text) } }] }),
  )
  const sender = { ...senderOf(notification.record.team, kit), secrets: [] }
  return [
    {
      name: 'slack',
      source: once(['end']),
      send: (id, signal) =>
        send({ url }, { id: messageId(notification.check.id, `slack-${id}`), body }, sender, signal),
    },
  ]
}

function emailOf(
  notification: Notification,
  recipients: readonly string[],
  { mail, ruleOf, linkTo }: Senders,
  kit: MonitorKit,
): readonly Channel[] {
  if (!mail || recipients.length === 0 || notification.pages.length === 0) return []
  return [
    {
      name: 'email',
      source: once(recipients),
      send: async (to, signal) => {
        const recipient = await kit.recipients.add(notification.record.id, to)
        // It may have unsubscribed since the check ended.
        if (subscriptionOf(to, recipient, ruleOf).status !== 'confirmed') return 'taken'
        try {
          await mail(mailOf(notification, to, kit.clock.now(), linkTo?.('unsubscribe', recipient)), signal)
          return 'taken'
        } catch (error) {
          signal.throwIfAborted()
          return { why: errorMessage(error) }
        }
      },
    },
  ]
}

function fileOf({ record, check }: Notification, { folder }: Senders, kit: MonitorKit): readonly Channel[] {
  if (folder === undefined || record.notification?.file !== true) return []
  return [
    {
      name: 'file',
      source: eventsOf(check, allEvents, kit),
      send: async (id) => {
        const body = await bodyOf(id, check, {}, kit)
        if (!body) return 'lost'
        makePrivateFolder(folder)
        await appendFile(join(folder, `${record.id}.jsonl`), `${Buffer.from(body).toString()}\n`, {
          mode: privateFile,
        })
        return 'taken'
      },
    },
  ]
}

function senderOf(team: string, { fetcher, guard, clock, webhookSecrets }: MonitorKit) {
  return { fetcher, guard, team, now: () => clock.now(), secrets: webhookSecrets(team) }
}

/** Returns a source of exactly these messages. */
function once(ids: readonly string[]): Source {
  return {
    after: async (after) => ({
      messages: ids.slice(after === undefined ? 0 : ids.indexOf(after) + 1).map((id) => ({ id, order: 'any' })),
      upTo: ids.at(-1),
      isEnd: true,
    }),
    changed: (signal) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true })),
  }
}
