/** Reads lines of text up to a bound; what is longer is refused. */
export function readLines(stream, take, { most = Infinity, refuse } = {}) {
  let rest = ''
  stream.setEncoding('utf8').on('data', (text) => {
    rest += text
    for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n')) {
      const line = rest.slice(0, end)
      rest = rest.slice(end + 1)
      take(line)
    }
    if (rest.length > most) refuse()
  })
  stream.on('error', () => undefined)
}
