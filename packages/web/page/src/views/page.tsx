import { client } from '../lib/api.ts'
import { shown } from '../lib/format.ts'
import { useAnswer } from '../lib/poll.ts'
import { href } from '../lib/router.ts'
import { Notice } from '../parts/notice.tsx'
import { Back, Empty, Heading } from '../parts/pieces.tsx'
import { Result } from '../parts/result.tsx'

/** Shows a page that was scraped before. */
export function PageView({ id }: { readonly id: string }) {
  const { answer: document, refusal } = useAnswer((signal) => client.findScrape(id, { signal }), [id])
  const url = document?.metadata.url ?? document?.metadata.sourceURL
  return (
    <>
      <Back to="activity">All requests</Back>
      <div class="bar">
        <Heading>Page {url && <span class="muted break">{shown(url)}</span>}</Heading>
        <span class="grow" />
        {url && (
          <a class="button small" href={href(['try'], { request: JSON.stringify({ url }) })}>
            Try it again
          </a>
        )}
      </div>
      {refusal && <Notice refusal={refusal} />}
      {document ? <Result document={document} /> : !refusal && <Empty>Loading…</Empty>}
    </>
  )
}
