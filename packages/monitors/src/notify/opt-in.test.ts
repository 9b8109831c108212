// Recipients outside the operator's team, from the mail that asks them to the one that they unsubscribe from.
import { createServer, type AddressInfo } from 'node:net'

import { memoryStore } from '@harvestman/core'
import type { Observer } from '@harvestman/ports'
import { movedClock } from '@harvestman/testing'
import { describe, expect, test, vi } from 'vitest'

import { house, pageOf, runNow, type HouseOptions } from '../fixtures/house.ts'

const daily = {
  name: 'Lamps of evil.test',
  schedule: { text: 'daily', jitter: 0 },
  targets: [{ type: 'scrape' as const, urls: ['https://shop.test/lamp'] }],
}
const stranger = 'stranger@else.example'
const member = 'ops@site.example'
const publicUrl = 'https://watch.example/web'

interface Received {
  readonly to: string
  readonly head: string
  readonly text: string
}

/** A mail server that takes everything, or refuses the recipients in `refused`. */
async function mailServer(refused: ReadonlySet<string>) {
  const mails: Received[] = []
  const server = createServer((socket) => {
    let text = ''
    let isData = false
    let to = ''
    socket.on('error', () => undefined)
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      for (;;) {
        const end = text.indexOf(isData ? '\r\n.\r\n' : '\r\n')
        if (end < 0) return
        const said = text.slice(0, end)
        text = text.slice(end + (isData ? 5 : 2))
        if (isData) {
          const [head = '', body = ''] = said.split('\r\n\r\n')
          mails.push({ to, head, text: Buffer.from(body, 'base64').toString() })
        }
        if (!isData && said.startsWith('RCPT')) to = /<(.*)>/.exec(said)?.[1] ?? ''
        const isRefused = !isData && said.startsWith('RCPT') && refused.has(to)
        const begins = !isData && said === 'DATA'
        isData = begins
        socket.write(
          begins ? '354 go on\r\n' : isRefused ? '550 no\r\n' : said === 'QUIT' ? '221 bye\r\n' : '250 ok\r\n',
        )
      }
    })
    socket.write('220 hello\r\n')
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  const mail = { host: '127.0.0.1', port, from: 'us@site.example' }
  return { mails, mail, [Symbol.asyncDispose]: async () => void server.close() }
}

const named = (...recipients: string[]) => ({ email: { enabled: true, recipients } })
const tokenIn = (mail: Received | undefined, action: string): string =>
  new RegExp(`${publicUrl}/v2/monitor/email/${action}/([\\w-]{43})$`, 'm').exec(mail?.text ?? '')?.[1] ?? ''

async function opened(
  more: Partial<HouseOptions> = {},
  given: HouseOptions['given'] = {},
  refused = new Set<string>(),
) {
  const server = await mailServer(refused)
  const bench = house({
    pages: { '/lamp': pageOf('It costs 20.') },
    ...more,
    given: { mail: server.mail, mailTo: ['@site.example', '*'], publicUrl, ...given },
  })
  const { engine, pages } = bench
  let price = 20
  /** Changes the page, runs the monitor, and returns its check once all messages were sent. */
  const changed = async (id: string) => {
    pages['/lamp'] = pageOf(`It costs ${(price += 1)}.`)
    const { id: check } = await runNow(bench, id)
    for (;;) {
      const found = await engine.monitors.check(id, check)
      if (found.notificationStatus) return found
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
  const close = async (): Promise<void> => {
    await engine.close()
    await server[Symbol.asyncDispose]()
  }
  return { ...bench, mails: server.mails, changed, [Symbol.asyncDispose]: close }
}

describe('a recipient outside the team', () => {
  test('is pending and receives one mail, which asks it to confirm and contains no link of the monitor', async () => {
    await using bench = await opened()
    const { monitors } = bench.engine
    const created = await monitors.create({ ...daily, notification: named(stranger, member) })
    expect(created.emailRecipientSubscriptions).toEqual([
      { email: stranger, status: 'pending', source: 'opt_in', confirmationEmailSent: true },
      { email: member, status: 'confirmed', source: 'team', confirmationEmailSent: false },
    ])
    expect(bench.mails.map(({ to }) => to)).toEqual([stranger])
    const [invitation] = bench.mails
    expect(invitation?.text).toContain('messages of the monitor "Lamps of evil test"')
    const token = tokenIn(invitation, 'confirm')
    expect(token).not.toBe('')
    expect(invitation?.head).toContain(`List-Unsubscribe: <${publicUrl}/v2/monitor/email/unsubscribe/${token}>`)
    expect(invitation?.head).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
    await bench.changed(created.id)
    const check = await bench.changed(created.id)
    expect(bench.mails.map(({ to }) => to)).toEqual([stranger, member])
    expect(check.notificationStatus).toMatchObject({
      email: { attempted: true, success: true, delivered: 1, recipients: [member], pendingRecipients: [stranger] },
    })
    expect(await monitors.list()).toMatchObject([{ id: created.id }])
    expect((await monitors.list())[0]).not.toHaveProperty('emailRecipientSubscriptions')
  })

  test('receives mails once it has confirmed, until it unsubscribes for good', async () => {
    await using bench = await opened()
    const { monitors } = bench.engine
    const { id } = await monitors.create({ ...daily, notification: named(stranger) })
    await bench.changed(id)
    const token = tokenIn(bench.mails[0], 'confirm')
    const known = { email: stranger, monitorName: daily.name }
    expect(await monitors.confirmEmail({ token })).toEqual({ result: 'confirmed', ...known })
    expect(await monitors.confirmEmail({ token })).toEqual({ result: 'confirmed', ...known })
    bench.clock.moveOn(6_000)
    expect(await monitors.confirmEmail({ token })).toEqual({ result: 'already_confirmed', ...known })
    await bench.changed(id)
    expect(bench.mails.map(({ to }) => to)).toEqual([stranger, stranger])
    expect(bench.mails[1]?.text).toContain(`Unsubscribe: ${publicUrl}/v2/monitor/email/unsubscribe/${token}`)
    expect(await monitors.unsubscribeEmail({ token })).toEqual({ result: 'unsubscribed', ...known })
    expect(await monitors.unsubscribeEmail({ token })).toEqual({ result: 'already_unsubscribed', ...known })
    expect(await monitors.confirmEmail({ token })).toEqual({ result: 'already_unsubscribed', ...known })
    const check = await bench.changed(id)
    expect(bench.mails).toHaveLength(2)
    expect(check.notificationStatus).toEqual({
      email: { attempted: false, success: true, recipients: [], unsubscribedRecipients: [stranger] },
    })
  })

  test('is asked once, also if it is removed and named again, and stays unsubscribed', async () => {
    await using bench = await opened()
    const { monitors } = bench.engine
    const { id } = await monitors.create({ ...daily, notification: named(stranger) })
    await monitors.update(id, { notification: named() })
    const again = await monitors.update(id, { notification: named(stranger) })
    expect(again.emailRecipientSubscriptions).toMatchObject([{ status: 'pending', confirmationEmailSent: true }])
    expect(bench.mails).toHaveLength(1)
    await monitors.unsubscribeEmail({ token: tokenIn(bench.mails[0], 'unsubscribe') })
    await monitors.update(id, { notification: named() })
    const last = await monitors.update(id, { notification: named(stranger) })
    expect(last.emailRecipientSubscriptions).toMatchObject([{ status: 'unsubscribed' }])
    expect(bench.mails).toHaveLength(1)
  })

  test('cannot be asked without a public URL, and is asked by the next change once there is one', async () => {
    const store = memoryStore()
    const clock = movedClock()
    await using first = await opened({ store, clock }, { publicUrl: undefined })
    const created = await first.engine.monitors.create({ ...daily, notification: named(stranger) })
    expect(created.emailRecipientSubscriptions).toMatchObject([{ status: 'pending', confirmationEmailSent: false }])
    expect(first.mails).toEqual([])
    await using second = await opened({ store, clock })
    const changed = await second.engine.monitors.update(created.id, { notification: named(stranger) })
    expect(changed.emailRecipientSubscriptions).toMatchObject([{ status: 'pending', confirmationEmailSent: true }])
  })

  test('is asked later if the mail server refuses the first mail', async () => {
    const refused = new Set([stranger])
    await using bench = await opened({}, {}, refused)
    const { monitors } = bench.engine
    const { id, ...created } = await monitors.create({ ...daily, notification: named(stranger) })
    expect(created.emailRecipientSubscriptions).toMatchObject([{ status: 'pending', confirmationEmailSent: false }])
    refused.clear()
    while ((await monitors.get(id)).emailRecipientSubscriptions?.[0]?.confirmationEmailSent !== true) {
      bench.clock.moveOn(60_000)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    expect(bench.mails.map(({ to }) => to)).toEqual([stranger])
  })

  test('is not asked any more after the mail server has refused 8 mails', async () => {
    const refused = new Set([stranger])
    const attempts = vi.spyOn(refused, 'has')
    const warnings: string[] = []
    const observer: Observer = (event) => void (event.kind === 'warning' && warnings.push(event.message))
    await using bench = await opened({ observer }, {}, refused)
    const { id } = await bench.engine.monitors.create({ ...daily, notification: named(stranger) })
    const givenUp = `A confirmation mail of the monitor ${id} is given up.`
    while (!warnings.includes(givenUp)) {
      bench.clock.moveOn(60_000)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    expect(attempts).toHaveBeenCalledTimes(8)
  })

  test('is not asked any more after a team has sent 100 such mails on a day', async () => {
    await using bench = await opened()
    const { monitors } = bench.engine
    const sent: (boolean | undefined)[] = []
    for (let group = 0; group < 5; group += 1) {
      const many = Array.from({ length: 25 }, (_, at) => `person${group}-${at}@else.example`)
      const { emailRecipientSubscriptions: all = [] } = await monitors.create({
        ...daily,
        notification: named(...many),
      })
      sent.push(...all.map(({ confirmationEmailSent }) => confirmationEmailSent))
    }
    expect(sent.filter(Boolean)).toHaveLength(100)
    expect(bench.mails).toHaveLength(100)
  })
})

describe('a link in a mail', () => {
  test('opens a page that changes nothing, the same for each token, whose button confirms', async () => {
    await using bench = await opened()
    const { monitors } = bench.engine
    const { id } = await monitors.create({ ...daily, name: '<b>Lamps</b>', notification: named(stranger) })
    const token = tokenIn(bench.mails[0], 'confirm')
    const text = (file: { bytes: unknown }) => new TextDecoder().decode(file.bytes as Uint8Array)
    const page = text(await monitors.emailPage('confirm', token))
    expect(page).toContain('<form method="post">')
    expect(page).toBe(text(await monitors.emailPage('confirm', 'a'.repeat(43))))
    expect((await monitors.get(id)).emailRecipientSubscriptions).toMatchObject([{ status: 'pending' }])
    expect(text(await monitors.answerEmailPage('confirm', token))).toContain(
      `${stranger} receives messages of the monitor “&lt;b&gt;Lamps&lt;/b&gt;”.`,
    )
    expect((await monitors.get(id)).emailRecipientSubscriptions).toMatchObject([{ status: 'confirmed' }])
    expect(text(await monitors.answerEmailPage('unsubscribe', token))).toContain('<h1>Unsubscribed</h1>')
    expect(text(await monitors.answerEmailPage('confirm', 'a'.repeat(43)))).toContain('This link is no longer valid')
  })

  test('has a token of its own for each recipient and monitor, and is unknown once the monitor is deleted', async () => {
    await using bench = await opened()
    const { monitors } = bench.engine
    const made = await Promise.all(
      [1, 2].map(() => monitors.create({ ...daily, notification: named(stranger, 'other@else.example') })),
    )
    const tokens = bench.mails.map((mail) => tokenIn(mail, 'confirm'))
    expect(new Set(tokens).size).toBe(4)
    for (const { id } of made) await monitors.delete(id)
    for (const token of tokens)
      await expect(monitors.confirmEmail({ token })).rejects.toMatchObject({ code: 'not_found' })
    const left = await bench.store.list('list/monitors/recipients/', { limit: 10 })
    expect(left).toEqual([])
  })
})
