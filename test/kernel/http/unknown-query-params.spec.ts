import type { ExecutionContext } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { UnknownQueryParamsGuard } from '../../../src/kernel/http/request-validation.js';

class Routes {
  read(): void {}
}

/** A call with a query parameter, of a handler whose arguments are of these kinds. */
function callOf(...kinds: string[]): ExecutionContext {
  const response = Object.fromEntries(kinds.map((kind, place) => [`${kind}:${place}`, {}]));
  Reflect.defineMetadata(ROUTE_ARGS_METADATA, response, Routes, 'read');
  const request = { url: '/v2/things?stray=1', query: { stray: '1' } };
  return {
    getArgByIndex: () => request,
    getClass: () => Routes,
    getHandler: () => Routes.prototype.read,
  } as unknown as ExecutionContext;
}

it('a query parameter is refused where only other arguments are read, however the words of decorators begin', () => {
  const guard = new UnknownQueryParamsGuard();
  for (const kind of ['3', '5', '4ab3__customRouteArgs__', '0z__customRouteArgs__'])
    expect(() => guard.canActivate(callOf(kind))).toThrow(expect.objectContaining({ code: 'unknown_query_param' }));
  for (const kind of ['4', '0']) expect(guard.canActivate(callOf('3', kind))).toBe(true);
});
