// The pages that live browsers are measured with, and the site that they are on.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export const paragraphs = '<p>Some text of a page.</p>'.repeat(40)

/** A page on which a box moves with every frame. */
export const movingBox = `<style>#box { position: fixed; top: 0; left: 0; width: 200px; height: 200px; background: teal }</style>${paragraphs}<div id=box></div>
  <script>const box = document.querySelector('#box'); const go = (t) => { box.style.left = (Math.sin(t / 500) + 1) * 500 + 'px'; box.style.top = (Math.cos(t / 700) + 1) * 200 + 'px'; requestAnimationFrame(go) }; requestAnimationFrame(go)</script>`

/** Serves each page under its path, and an empty one under every other. */
export async function servePages(pages: Readonly<Record<string, string>>): Promise<{
  readonly origin: string
  readonly close: () => void
}> {
  const site = createServer((request, response) =>
    response.setHeader('content-type', 'text/html').end(pages[request.url ?? ''] ?? ''),
  )
  await new Promise<void>((ready) => site.listen(0, '127.0.0.1', ready))
  const close = (): void => {
    site.close()
    site.closeAllConnections()
  }
  return { origin: `http://127.0.0.1:${(site.address() as AddressInfo).port}`, close }
}
