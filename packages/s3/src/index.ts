// The public exports, listed by name. Anything not listed is private.
export { s3Blobs, type S3BlobsOptions } from './s3-blobs.ts'
export { signedHeaders, signedUrl, type Signer, type Unsigned } from './sign.ts'
