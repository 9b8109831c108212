// The public names, one by one. What is not here is not public.
export { s3Blobs, type S3BlobsOptions } from './s3-blobs.ts'
export { signedHeaders, signedUrl, type Signer, type Unsigned } from './sign.ts'
