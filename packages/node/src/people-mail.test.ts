import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'

import type { PersonNeeded } from '@harvestman/live/people'
import { expect, test } from 'vitest'

import { mailToPeople, personMail } from './people-mail.ts'

const request = {
  id: '0198c7a1-5f0e-7c3a-9f5d-0a4d2b1c7e11',
  status: 'waiting',
  reason: 'login_expired',
  message: 'The page asks to log in.',
  url: 'https://shop.example/orders',
  profile: 'shop',
  jobId: null,
  link: 'https://scrape.example/v2/people/link/open/token',
  createdAt: '2026-01-01T00:00:00.000Z',
  expiresAt: '2026-01-01T01:00:00.000Z',
  endedAt: null,
} as const

/** Starts a mail server, which stores the mails that it receives. */
async function startMailServer() {
  const mails: string[] = []
  const server = createServer((socket) => {
    let [text, mail, isData] = ['', '', false]
    socket.write('220 ready\r\n')
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      for (let end = text.indexOf('\r\n'); end >= 0; end = text.indexOf('\r\n')) {
        const line = text.slice(0, end)
        text = text.slice(end + 2)
        if (isData) {
          mail += `${line}\n`
          isData = line !== '.'
          if (isData) continue
          mails.push(mail)
          socket.write('250 taken\r\n')
        } else if (line === 'DATA') {
          isData = true
          socket.write('354 go on\r\n')
        } else if (line === 'QUIT') socket.end('221 bye\r\n')
        else socket.write('250 ok\r\n')
      }
    })
    socket.on('error', () => undefined)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return { mails, port: (server.address() as AddressInfo).port, close: () => server.close() }
}

test('each recipient gets a mail with the page and the link', async () => {
  const { mails, port, close } = await startMailServer()
  const onNeeded = mailToPeople(['ann@a.example', 'bob@b.example'], {
    host: '127.0.0.1',
    port,
    secure: false,
    from: 'h@a.example',
  })
  const never = async () => {
    throw new Error('Not called.')
  }
  const needed: PersonNeeded = { ...request, team: 'one', open: never, done: never, fail: never }
  await onNeeded?.(needed)
  close()
  expect(mails).toHaveLength(2)
  expect(mails.map((mail) => /^To: .*$/m.exec(mail)?.[0] ?? '').toSorted()).toEqual([
    'To: ann@a.example',
    'To: bob@b.example',
  ])
  for (const mail of mails) {
    const body = mail.slice(mail.indexOf('\n\n'), -2)
    expect(Buffer.from(body, 'base64').toString()).toContain(`Link: ${request.link}`)
  }
})

test('a mail without a public URL tells how links are set up', () => {
  expect(personMail(request, 'ann@a.example').text).toContain(`Link: ${request.link}`)
  expect(personMail({ ...request, link: null }, 'ann@a.example').text).toContain('HARVESTMAN_PUBLIC_URL')
})

test('without recipients or a mail server nothing is mailed', () => {
  expect(mailToPeople([], { host: 'a', port: 25, secure: false, from: 'a@a.example' })).toBeUndefined()
  expect(mailToPeople(['ann@a.example'], undefined)).toBeUndefined()
})
