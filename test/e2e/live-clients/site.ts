import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const page = `<title>Home</title><h1>Shop</h1>
  <button id=ask onclick="document.title = 'Clicked'; fetch('/data')">Ask</button>
  <input id=name><select id=size><option>Small<option>Large</select>
  <input type=file id=up onchange="out.textContent = this.files[0].name"><p id=out></p>
  <a id=get href=/file>Get</a><a id=pop target=_blank href=/popup>Open</a><iframe name=inner src=/inner></iframe>`

export interface Site {
  readonly origin: string
  close(): void
}

/** A site with what the tasks need. */
export async function serveSite(): Promise<Site> {
  const server = createServer(({ url }, response) => {
    if (url === '/file') response.setHeader('content-disposition', 'attachment; filename="rows.csv"').end('a,b')
    else if (url === '/data') response.setHeader('content-type', 'application/json').end('{"n":1}')
    else response.setHeader('content-type', 'text/html').end(url === '/inner' ? '<p id=in>Inside</p>' : page)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
