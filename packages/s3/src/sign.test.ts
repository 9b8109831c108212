import { expect, test } from 'vitest'

import { sha256, signedHeaders, signedUrl } from './sign.ts'

// The examples of the public documentation of Signature Version 4 for S3.
const signer = {
  region: 'us-east-1',
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
}
const now = Date.UTC(2013, 4, 24)

test('a request is signed as in the published example', () => {
  const { authorization } = signedHeaders(
    {
      method: 'GET',
      url: new URL('https://examplebucket.s3.amazonaws.com/test.txt'),
      headers: { range: 'bytes=0-9' },
      bodyHash: sha256(''),
      now,
    },
    signer,
  )
  expect(authorization).toContain('Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41')
})

test('an address is signed as in the published example', () => {
  const url = new URL('https://examplebucket.s3.amazonaws.com/test.txt')
  expect(signedUrl({ url, now }, 86_400, signer)).toContain(
    'X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
  )
})
