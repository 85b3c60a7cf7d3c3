import { answer, handled } from '../answer';
import { queryOf } from '../query';
import openapi from './openapi.json';

export const dynamic = 'force-dynamic';

/** This API, described; held true by openapi.test.ts. */
export const GET = handled((request) => {
  queryOf(request, []);
  return answer(openapi);
});
