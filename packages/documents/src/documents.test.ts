import { createEngine } from '@harvestman/core'
import { defineParser, definePlugin } from '@harvestman/core/plugin'
import { EngineError, type ErrorCode } from '@harvestman/ports'
import { expect, test } from 'vitest'

import { documents } from './index.ts'

const picture = Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex')
const mail = Buffer.from(
  [
    'Subject: Harvest\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\nThe text.',
    '--b\nContent-Type: image/jpeg; name="a.jpg"\nContent-Disposition: attachment\nContent-Transfer-Encoding: base64\n',
    `${picture.toString('base64')}\n--b--\n`,
  ].join('\n'),
)

const jpegParser = (parse: () => Promise<never>) =>
  definePlugin({
    name: 'pictures',
    parsers: [
      defineParser({
        name: 'image',
        accepts: ['image/jpeg'],
        files: [{ format: 'jpg', kind: 'image', extensions: ['jpg'], mimeTypes: ['image/jpeg'] }],
        parse,
      }),
    ],
  })

test.each<ErrorCode>(['timeout', 'connection_failed', 'bad_response', 'unsupported_file'])(
  'An attachment whose parser fails with %s costs only itself',
  async (code) => {
    const failing = jpegParser(() => Promise.reject(new EngineError(code, 'The service failed.')))
    await using engine = createEngine({ plugins: [documents(), failing] })
    const { markdown, warning } = await engine.parse(mail, { name: 'a.eml' })
    expect(markdown).toContain('The text.')
    expect(warning).toContain('The file "a.jpg" is left out. The service failed.')
  },
)
