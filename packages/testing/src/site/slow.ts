import { answerPage, answerRaw, numberOf, page, type Route } from './route.ts'

const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/html; charset=utf-8\r\n'

export const slowRoutes: readonly Route[] = [
  { path: '/slow/silent', about: 'takes the request and never answers', handle: () => undefined },
  {
    path: '/slow/headers',
    about: 'sends some headers and then nothing',
    handle: (visit) => answerRaw(visit, `${head}x-part: on`, 'stay'),
  },
  {
    path: '/slow/body',
    about: 'sends `percent` (50) of the body and then nothing',
    handle: (visit) => {
      const body = page('Half a page', '<p>This page does not end.</p>'.repeat(100))
      const sent = Math.floor((body.length * numberOf(visit, 'percent', 50)) / 100)
      answerRaw(visit, `${head}content-length: ${body.length}\r\n\r\n${body.slice(0, sent)}`, 'stay')
    },
  },
  {
    path: '/slow/loris',
    about: 'sends a letter every `ms` (1000), for ever',
    handle: async (visit) => {
      visit.response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      while (!visit.response.destroyed) {
        visit.response.write('x')
        await visit.site.wait(numberOf(visit, 'ms', 1000))
      }
    },
  },
  {
    path: '/slow/loris-headers',
    about: 'sends a header every `ms` (1000), for ever',
    handle: async (visit) => {
      answerRaw(visit, head, 'stay')
      for (let number = 0; visit.response.socket?.writable; number += 1) {
        answerRaw(visit, `x-${number}: on\r\n`, 'stay')
        await visit.site.wait(numberOf(visit, 'ms', 1000))
      }
    },
  },
  {
    path: '/slow/delay',
    about: 'answers after `ms` (1000)',
    handle: async (visit) => {
      await visit.site.wait(numberOf(visit, 'ms', 1000))
      answerPage(visit, 'Late but whole', '<p>This page was late.</p>')
    },
  },
]
