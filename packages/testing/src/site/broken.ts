import { answerRaw, numberOf, page, reset, type Route, type Visit } from './route.ts'

const body = page('A broken page', '<p>The connection does not last as long as this page.</p>'.repeat(100))
const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/html; charset=utf-8\r\n'

// The bytes sent, and how the connection ends.
type Wire = readonly [bytes: string, then: 'end' | 'reset']

const wires: Readonly<Record<string, Wire>> = {
  garbage: ['\x00\x01\x02 this is not HTTP \xff\xfe\r\n\r\n', 'end'],
  'status-line': ['HTTP/1.1 abc Not A Number\r\ncontent-length: 0\r\n\r\n', 'end'],
  'header-name': [`${head}bad header name: x\r\ncontent-length: 2\r\n\r\nhi`, 'end'],
  'header-cut': [`${head}x-cut: `, 'end'],
  'chunk-size': [`${head}transfer-encoding: chunked\r\n\r\nzz\r\nnot a size\r\n`, 'end'],
  'chunk-cut': [`${head}transfer-encoding: chunked\r\n\r\n1000\r\n${body.slice(0, 100)}`, 'end'],
  'close-after-headers': [`${head}content-length: ${body.length}\r\n\r\n`, 'end'],
  'close-in-body': [`${head}content-length: ${body.length}\r\n\r\n${body.slice(0, 2000)}`, 'end'],
  'reset-after-headers': [`${head}content-length: ${body.length}\r\n\r\n`, 'reset'],
  'reset-in-body': [`${head}content-length: ${body.length}\r\n\r\n${body.slice(0, 2000)}`, 'reset'],
}

const send = (visit: Visit, headers: string) => answerRaw(visit, `${head}${headers}content-length: 2\r\n\r\nhi`)

export const brokenRoutes: readonly Route[] = [
  {
    path: '/broken/empty',
    about: 'closes without a byte',
    handle: ({ response }) => void response.socket?.end(),
  },
  {
    path: '/broken/reset',
    about: 'resets the connection without a byte',
    handle: ({ response }) => reset(response.socket),
  },
  {
    path: '/broken/wire/:kind',
    about: `breaks the protocol or the connection: ${Object.keys(wires).join(', ')}`,
    handle: (visit) => answerRaw(visit, ...(wires[visit.parts['kind'] ?? ''] ?? wires['garbage']!)),
  },
  {
    path: '/broken/large-header',
    about: 'a header of `kb` (1024) kilobytes',
    handle: (visit) => send(visit, `x-large: ${'x'.repeat(numberOf(visit, 'kb', 1024) * 1024)}\r\n`),
  },
  {
    path: '/broken/many-headers',
    about: '`count` (10000) headers',
    handle: (visit) => {
      const lines = Array.from({ length: numberOf(visit, 'count', 10_000) }, (_, index) => `x-${index}: ${index}\r\n`)
      send(visit, lines.join(''))
    },
  },
  {
    path: '/broken/once',
    about: 'resets the first `times` (1) connections of each `name`, and answers the next',
    handle: (visit) => {
      const name = visit.url.searchParams.get('name') ?? ''
      if (visit.site.count(`broken once ${name}`) <= numberOf(visit, 'times', 1)) reset(visit.response.socket)
      else answerRaw(visit, `${head}content-length: ${body.length}\r\n\r\n${body}`)
    },
  },
]
