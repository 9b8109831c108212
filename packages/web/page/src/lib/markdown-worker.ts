// Reads Markdown away from the page: a text that takes too long is given up by ending this worker.
import { lexer } from 'marked'

addEventListener('message', ({ data }: MessageEvent<string>) => {
  postMessage(lexer(data, { gfm: true }))
})
