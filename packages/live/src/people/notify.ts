// Sends the link of a request to the webhook and to the host application.
import { errorMessage } from '@harvestman/toolbox/error-message'
import { send } from '@harvestman/webhooks'

import type { PersonBrowsers } from './browser.ts'
import type { PeopleKit } from './kit.ts'
import { sendLease, type PersonRecord } from './records.ts'
import { showPerson } from './shown.ts'

const retryDelays = [1_000, 5_000, 30_000, 120_000, 600_000]

/**
 * Sends the link of a request, and retries a webhook that does not accept it up to 5 times. Failures are warnings, because the
 * link is also in the list of requests.
 */
export async function notify(record: PersonRecord, kit: PeopleKit, browsers: PersonBrowsers): Promise<void> {
  const sent = new AbortController()
  const claimed = claim(record, kit, sent.signal)
  try {
    await Promise.all([callHost(record, kit, browsers), callWebhook(record, kit)])
  } finally {
    sent.abort()
    await claimed
  }
  await kit.records.change(record.team, record.id, (one) => ({ ...one, isSent: true }))
}

/** Keeps other engines from sending the link as well, until the signal is aborted or this engine is closed. */
async function claim(
  { team, id }: PersonRecord,
  { records, clock, signal }: PeopleKit,
  sent: AbortSignal,
): Promise<void> {
  const either = AbortSignal.any([sent, signal])
  while (!either.aborted) {
    await clock.sleep(sendLease / 3, either).catch(() => undefined)
    if (either.aborted) return
    // A store that fails now is written to again later.
    await records.change(team, id, (one) => ({ ...one, sendAt: clock.now() + sendLease })).catch(() => undefined)
  }
}

async function callHost(record: PersonRecord, kit: PeopleKit, browsers: PersonBrowsers): Promise<void> {
  const { onNeeded, publicUrl } = kit.options
  if (!onNeeded) return
  const current = async (): Promise<PersonRecord> => (await kit.records.find(record.team, record.id)) ?? record
  try {
    await onNeeded({
      ...showPerson(record, publicUrl),
      team: record.team,
      open: async () => {
        const session = await browsers.find(await browsers.open(await current()))
        if (session) return session
        throw new Error('The live browser of this request runs in another engine.')
      },
      done: async () => void (await browsers.finish(await current(), 'done')),
      fail: async () => void (await browsers.finish(await current(), 'failed')),
    })
  } catch (error) {
    kit.warn(`onNeeded of people() failed: ${errorMessage(error)}`)
  }
}

async function callWebhook(record: PersonRecord, kit: PeopleKit): Promise<void> {
  const { fetcher, guard, clock, signal, options } = kit
  const { team, id, job } = record
  const url = record.webhook ?? options.webhook?.replaceAll('{{JOB_ID}}', job ?? id)
  if (url === undefined) return
  const shown = showPerson(record, options.publicUrl)
  const body = Buffer.from(
    JSON.stringify({ success: true, type: 'person.needed', id: job ?? id, data: [shown], metadata: {} }),
  )
  const sender = { fetcher, guard, team, now: () => clock.now(), secrets: kit.webhookSecrets(team) }
  let why = ''
  for (const delay of [0, ...retryDelays]) {
    try {
      if (delay > 0) await clock.sleep(delay, signal)
      const delivery = await send({ url }, { id: `person-${id}`, body }, sender, signal)
      if (delivery === 'taken' || delivery === 'lost') return
      why = delivery.why
      if (delivery.isFinal === true) break
    } catch (error) {
      if (signal.aborted) throw error
      why = errorMessage(error)
      break
    }
    const current = await kit.records.find(team, id)
    if (!current || current.end) return
  }
  kit.warn(`The webhook for a person was not delivered. ${why}`)
}
