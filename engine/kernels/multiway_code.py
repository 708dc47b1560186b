"""The functions of `engine.kernels.multiway_lanes` as LLVM code: a tile of sixteen combos at a time.

numba finds no vectors in loops over four suits, so these few lines are written for the compiler directly. Each does
what the function of the same name does there in numpy, and is tested against it. Importing
this module imports numba; only the compiler of a kernel needs it.
"""

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.registry import cpu_target
from numba.extending import intrinsic

from engine.kernels.multiway_lanes import BEFORE, CARDS, LANE_SHIFT, ONE_LANE, Single

_FLOAT = ir.FloatType()
_INDEX = ir.IntType(64)
_LANE = ir.IntType(32)
_FOUR, _SIXTEEN = ir.VectorType(_FLOAT, 4), ir.VectorType(_FLOAT, 16)


# The cards in blocks, of which two at a time fill what registers there are
_CARD_BLOCKS = ((0, _SIXTEEN), (16, _SIXTEEN)), ((32, _SIXTEEN), (48, _FOUR))


def _same(value: float, kind: Any) -> Any:
    return ir.Constant(kind, [value] * kind.count)


class _Code:
    """Writes code on one array of float32, `work`, four suits or sixteen combos at a time."""

    def __init__(self, builder: Any, work: Any) -> None:
        self.builder = builder
        self.work = work

    def load(self, at: Any, kind: Any = _SIXTEEN) -> Any:
        value = self.builder.load(self.builder.bitcast(self.builder.gep(self.work, [at]), kind.as_pointer()))
        value.align = 4
        return value

    def store(self, value: Any, at: Any) -> None:
        pointer = self.builder.bitcast(self.builder.gep(self.work, [at]), value.type.as_pointer())
        self.builder.store(value, pointer).align = 4

    def one(self, at: Any) -> Any:
        return self.builder.load(self.builder.gep(self.work, [at]))

    def put(self, value: Any, at: Any) -> None:
        self.builder.store(value, self.builder.gep(self.work, [at]))

    def pick(self, value: Any, lanes: list[int]) -> Any:
        return self.builder.shuffle_vector(value, value, ir.Constant(ir.VectorType(_LANE, len(lanes)), lanes))

    def spread(self, value: Any, kind: Any = _SIXTEEN) -> Any:
        single = self.builder.insert_element(ir.Constant(kind, ir.Undefined), value, _LANE(0))
        return self.pick(single, [0] * kind.count)

    def by_row(self, four: Any) -> Any:
        """Spread the suits of the higher rank over a tile."""
        return self.pick(four, [lane // 4 for lane in range(16)])

    def by_column(self, four: Any) -> Any:
        """Spread the suits of the lower rank over a tile."""
        return self.pick(four, [lane % 4 for lane in range(16)])

    def halved(self, value: Any, step: int) -> Any:
        """Add to each lane the one `step` further on, leaving half as many."""
        first = [lane for lane in range(value.type.count) if lane // step % 2 == 0]
        return self.builder.fadd(self.pick(value, first), self.pick(value, [lane + step for lane in first]))

    def summed(self, value: Any) -> Any:
        """Give the sum of four lanes."""
        return self.builder.extract_element(self.halved(self.halved(value, 1), 1), _LANE(0))

    def multiplied(self, value: Any) -> Any:
        """Give the product of all lanes."""
        while value.type.count > 1:
            lanes = range(value.type.count)
            half = len(lanes) // 2
            value = self.builder.fmul(self.pick(value, [*lanes[:half]]), self.pick(value, [*lanes[half:]]))
        return self.builder.extract_element(value, _LANE(0))

    def add(self, *terms: Any) -> Any:
        total = terms[0]
        for term in terms[1:]:
            total = self.builder.add(total, term)
        return total

    def times(self, at: Any, factor: int) -> Any:
        return self.builder.mul(at, _INDEX(factor))

    def multiply_add(self, first: Any, second: Any, third: Any) -> Any:
        kind = first.type
        suffix = "f32" if kind == _FLOAT else f"v{kind.count}f32"
        signature = ir.FunctionType(kind, [kind] * 3)
        function = cgutils.get_or_insert_function(self.builder.module, signature, f"llvm.fmuladd.{suffix}")
        return self.builder.call(function, [first, second, third])

    def others(self, times: Any, i: Any) -> Any:
        """Give how many more opponents have a range."""
        return self.builder.sub(self.builder.load(self.builder.gep(times, [i])), _INDEX(1))

    def variable(self, value: float, kind: Any = _SIXTEEN) -> Any:
        pointer = cgutils.alloca_once(self.builder, kind)
        self.builder.store(_same(value, kind), pointer)
        return pointer

    def clipped(self, value: Any) -> Any:
        """Bring what is not from 0 to 1 there."""
        for compared, limit in (("<", 1.0), (">", 0.0)):
            bound = _same(limit, value.type)
            value = self.builder.select(self.builder.fcmp_ordered(compared, value, bound), value, bound)
        return value


def _write_clear(code: _Code, first: Any, end: Any) -> None:
    bytes_in = code.builder.mul(code.builder.sub(end, first), _INDEX(4))
    cgutils.memset(code.builder, code.builder.gep(code.work, [first]), bytes_in, 0)


def _write_lay_range(code: _Code, ranges: Any, first: Any, tiles: Any, step: Any, alive: Any, scale: Any) -> None:
    builder = code.builder
    doubles = ir.VectorType(ir.DoubleType(), 4)
    source = builder.gep(ranges, [first])
    with cgutils.for_range(builder, _INDEX(52)) as highs:
        card = highs.index
        rank, suit = builder.lshr(card, _INDEX(2)), builder.and_(card, _INDEX(3))
        combo = builder.lshr(builder.mul(card, builder.sub(card, _INDEX(1))), _INDEX(1))
        pair = builder.lshr(builder.mul(rank, code.add(rank, _INDEX(1))), _INDEX(1))
        of_high = builder.fmul(scale, builder.fpext(code.one(code.add(alive, card)), scale.type))
        row = code.times(suit, 4)
        with cgutils.for_range(builder, rank) as lows:
            low = code.times(lows.index, 4)
            here = builder.bitcast(builder.gep(source, [code.add(combo, low)]), doubles.as_pointer())
            weights = builder.load(here)
            weights.align = 8
            weights = builder.fmul(weights, code.spread(of_high, doubles))
            weights = builder.fmul(builder.fptrunc(weights, _FOUR), code.load(code.add(alive, low), _FOUR))
            code.store(weights, code.add(tiles, builder.mul(code.add(pair, lows.index), step), row))
        tile = code.add(tiles, builder.mul(code.add(pair, rank), step))
        low = code.times(rank, 4)
        with cgutils.for_range(builder, suit) as suits:
            weight = builder.fmul(builder.load(builder.gep(source, [code.add(combo, low, suits.index)])), of_high)
            weight = builder.fptrunc(weight, _FLOAT)
            weight = builder.fmul(weight, code.one(code.add(alive, low, suits.index)))
            code.put(weight, code.add(tile, row, suits.index))
            code.put(weight, code.add(tile, code.times(suits.index, 4), suit))


def _write_sum_tiles(
    code: _Code, count: Any, tile: Any, factors: Any, high: Any, low: Any, step: Any, mask: Any, slot: Any,
    share: Any, kept: Any,
) -> None:  # fmt: skip
    builder = code.builder
    with cgutils.for_range(builder, count) as loop:
        shift = code.add(factors, builder.mul(loop.index, step))
        of_high = code.by_row(code.load(code.add(shift, high), _FOUR))
        of_low = code.by_column(code.load(code.add(shift, low), _FOUR))
        offset = code.times(loop.index, 16)
        block = builder.fmul(code.load(code.add(tile, offset)), code.load(mask))
        block = builder.fmul(block, builder.fmul(of_high, of_low))
        code.store(block, code.add(kept, offset))
        here = code.add(slot, offset)
        row_sums = code.halved(code.halved(block, 1), 1)
        code.store(row_sums, here)
        code.store(code.halved(code.halved(block, 8), 4), code.add(here, _INDEX(4)))
        code.put(builder.fmul(code.summed(row_sums), share), code.add(here, _INDEX(8)))


class _Item:
    """The fields of one item; see `engine.kernels.multiway`."""

    def __init__(self, code: _Code, items: Any, item: Any) -> None:
        first = code.times(item, 8)
        self.high, self.low, self.slot, self.tile, self.mask, self.into, self.factors, self.flags = (
            code.builder.load(code.builder.gep(items, [code.add(first, _INDEX(field))])) for field in range(8)
        )


def _write_add_weights(code: _Code, items: Any, start: Any, end: Any, count: Any, sums: Any, share: Any) -> None:
    shares = code.spread(share, _FOUR)
    with cgutils.for_range(code.builder, end, start) as each:
        item = _Item(code, items, each.index)
        at_high, at_low = code.add(sums, item.high), code.add(sums, item.low)
        with cgutils.for_range(code.builder, count) as loop:
            here, cards = code.add(item.slot, code.times(loop.index, 16)), code.times(loop.index, CARDS)
            high, low = code.add(at_high, cards), code.add(at_low, cards)
            of_all = code.add(sums, loop.index, _INDEX(-BEFORE))
            # Both are read before one is written, for in a pair they are the same.
            of_high = code.multiply_add(code.load(here, _FOUR), shares, code.load(high, _FOUR))
            of_low = code.multiply_add(code.load(code.add(here, _INDEX(4)), _FOUR), shares, code.load(low, _FOUR))
            code.store(of_high, high)
            code.store(of_low, low)
            code.put(code.multiply_add(code.one(code.add(here, _INDEX(8))), share, code.one(of_all)), of_all)


def _write_add_products(
    code: _Code, items: Any, times: Any, start: Any, end: Any, count: Any, sums: Any, alive: Any, first: Any,
    second: Any, own: Any, scale: Any, ahead: Any = None, share: Any = None,
) -> None:  # fmt: skip
    builder = code.builder
    product, lane_product = code.variable(1.0), cgutils.alloca_once(builder, _FLOAT)
    with cgutils.for_range(builder, end, start) as each:
        item = _Item(code, items, each.index)
        factor = builder.fmul(scale, code.one(code.add(item.factors, _INDEX(16))))
        for suit, place in ((first, 8), (second, 12)):
            factor = builder.fmul(factor, code.one(code.add(item.factors, suit, _INDEX(place))))
        if share is None:
            _add_tile(code, item, times, count, sums, alive, own, factor, product)
        else:
            is_one = builder.icmp_signed("!=", builder.and_(item.flags, _INDEX(ONE_LANE)), _INDEX(0))
            with builder.if_else(is_one) as (one_lane, all_lanes):
                with one_lane:
                    _add_lane(code, item, times, count, sums, alive, own, factor, lane_product, ahead, share)
                with all_lanes:
                    _add_tile(code, item, times, count, sums, alive, own, factor, product, ahead, share)


def _add_lane(
    code: _Code, item: _Item, times: Any, count: Any, sums: Any, alive: Any, own: Any, factor: Any, product: Any,
    ahead: Any, share: Any,
) -> None:  # fmt: skip
    builder = code.builder
    suit = builder.lshr(item.flags, _INDEX(LANE_SHIFT))
    high, low, lane = code.add(item.high, suit), code.add(item.low, suit), code.times(suit, 5)
    of_combo = (
        code.add(item.factors, suit), code.add(item.factors, suit, _INDEX(4)), code.add(alive, high),
        code.add(alive, low), code.add(item.mask, lane),
    )  # fmt: skip
    for place in of_combo:
        factor = builder.fmul(factor, code.one(place))
    builder.store(factor, product)
    # The combo's weight moves all three sums, of which two are taken out.
    part = builder.fsub(own, ahead)
    with cgutils.for_range(builder, count) as loop:
        cards = code.add(sums, code.times(loop.index, CARDS))
        places = code.add(sums, loop.index, _INDEX(-BEFORE)), code.add(cards, high), code.add(cards, low)
        weight = code.one(code.add(item.slot, code.times(loop.index, 16), _INDEX(8)))
        of_all, of_high, of_low = (code.one(place) for place in places)
        for place, old in zip(places, (of_all, of_high, of_low), strict=True):
            code.put(code.multiply_add(weight, share, old), place)
        beaten = code.multiply_add(weight, part, builder.fsub(builder.fsub(of_all, of_high), of_low))
        builder.store(builder.fmul(builder.load(product), beaten), product)
        with cgutils.for_range(builder, code.others(times, loop.index)):
            builder.store(builder.fmul(builder.load(product), beaten), product)
    into = code.add(item.into, lane)
    code.put(builder.fadd(builder.load(product), code.one(into)), into)


def _add_tile(
    code: _Code, item: _Item, times: Any, count: Any, sums: Any, alive: Any, own: Any, factor: Any, product: Any,
    ahead: Any = None, share: Any = None,
) -> None:  # fmt: skip
    builder = code.builder
    owns = code.spread(own)
    at_high, at_low = code.add(sums, item.high), code.add(sums, item.low)
    of_high, of_low = (
        builder.fmul(
            code.load(code.add(item.factors, _INDEX(place)), _FOUR), code.load(code.add(alive, card), _FOUR)
        )
        for card, place in ((item.high, 0), (item.low, 4))
    )
    of_high = builder.fmul(of_high, code.spread(factor, _FOUR))
    of_lanes = builder.fmul(code.by_row(of_high), code.by_column(of_low))
    builder.store(builder.fmul(of_lanes, code.load(item.mask)), product)
    with cgutils.for_range(builder, count) as loop:
        offset, cards = code.times(loop.index, 16), code.times(loop.index, CARDS)
        high, low = code.add(at_high, cards), code.add(at_low, cards)
        at_all = code.add(sums, loop.index, _INDEX(-BEFORE))
        of_high, of_low, of_all = code.load(high, _FOUR), code.load(low, _FOUR), code.one(at_all)
        if share is not None:
            here = code.add(item.slot, offset)
            shares, aheads = code.spread(share, _FOUR), code.spread(ahead, _FOUR)
            new_high, new_low = code.load(here, _FOUR), code.load(code.add(here, _INDEX(4)), _FOUR)
            new = code.one(code.add(here, _INDEX(8)))
            code.store(code.multiply_add(new_high, shares, of_high), high)
            code.store(code.multiply_add(new_low, shares, of_low), low)
            code.put(code.multiply_add(new, share, of_all), at_all)
            of_high = code.multiply_add(new_high, aheads, of_high)
            of_low = code.multiply_add(new_low, aheads, of_low)
            of_all = code.multiply_add(new, ahead, of_all)
        left = builder.fsub(code.spread(of_all, _FOUR), of_high)
        beaten = builder.fsub(code.by_row(left), code.by_column(of_low))
        beaten = code.multiply_add(code.load(code.add(item.tile, offset)), owns, beaten)
        builder.store(builder.fmul(builder.load(product), beaten), product)
        with cgutils.for_range(builder, code.others(times, loop.index)):
            builder.store(builder.fmul(builder.load(product), beaten), product)
    code.store(builder.fadd(builder.load(product), code.load(item.into)), item.into)


def _write_add_moving_products(
    code: _Code, items: Any, times: Any, start: Any, end: Any, count: Any, sums: Any, alive: Any, first: Any,
    second: Any, own: Any, scale: Any, ahead: Any, share: Any,
) -> None:  # fmt: skip
    _write_add_products(code, items, times, start, end, count, sums, alive, first, second, own, scale, ahead, share)


def _write_add_mates(code: _Code, items: Any, start: Any, end: Any, count: Any, mates: Any, share: Any) -> None:
    builder = code.builder
    with cgutils.for_range(builder, end, start) as each:
        item = _Item(code, items, each.index)
        is_pair = builder.icmp_signed("==", item.high, item.low)
        part = builder.select(is_pair, builder.fmul(share, ir.Constant(_FLOAT, 4 / 3)), share)
        parts = code.spread(part, _FOUR)
        # A card's rank is a quarter of it, and there are 64 numbers for each: 16 times the card.
        at_high = code.add(mates, code.times(item.low, 16), item.high)
        at_low = code.add(mates, code.times(item.high, 16), item.low)
        with cgutils.for_range(builder, count) as loop:
            here, cards = code.add(item.slot, code.times(loop.index, 16)), code.times(loop.index, 13 * CARDS)
            high, low = code.add(at_high, cards), code.add(at_low, cards)
            of_high = code.multiply_add(code.load(here, _FOUR), parts, code.load(high, _FOUR))
            of_low = code.multiply_add(code.load(code.add(here, _INDEX(4)), _FOUR), parts, code.load(low, _FOUR))
            code.store(of_high, high)
            code.store(of_low, low)


def _write_find_factors(
    code: _Code, items: Any, times: Any, start: Any, end: Any, count: Any, sums: Any, mates: Any, shares: Any,
    own: Any, others: Any, nobody: Any, scale: Any, spare: Any, alive: Any, dead: Any, first: Any, second: Any,
    factor: Any, fresh: Any,
) -> None:  # fmt: skip
    builder = code.builder
    kept, inverse = code.add(spare, _INDEX(CARDS)), code.add(spare, _INDEX(CARDS + 1))
    with cgutils.for_range(builder, end, start) as each:
        item = _Item(code, items, each.index)
        with builder.if_then(builder.icmp_signed("<", each.index, builder.add(start, fresh))):
            of_high, of_low = (
                code.one(code.add(shares, builder.lshr(card, _INDEX(2)))) for card in (item.high, item.low)
            )
            is_pair = builder.icmp_signed("==", item.high, item.low)
            of_own = builder.fmul(builder.fmul(of_high, of_low), own)
            # Of the 16 places of a pair's tile 6 are combos.
            of_own = builder.select(is_pair, builder.fmul(of_own, ir.Constant(_FLOAT, 16 / 6)), of_own)
            with cgutils.for_range(builder, count) as loop:
                cards = code.add(sums, code.times(loop.index, CARDS))
                held = [
                    builder.fmul(code.load(code.add(cards, card), _FOUR), code.spread(part, _FOUR))
                    for card, part in ((item.high, of_high), (item.low, of_low))
                ]
                of_all = code.one(code.add(sums, loop.index, _INDEX(-BEFORE)))
                left = builder.fsub(of_all, code.summed(builder.fadd(*held)))
                slot_total = code.one(code.add(item.slot, code.times(loop.index, 16), _INDEX(8)))
                left = code.multiply_add(slot_total, of_own, left)
                lowest = builder.fmul(of_all, ir.Constant(_FLOAT, 1e-4))
                left = builder.select(builder.fcmp_ordered(">", left, lowest), left, lowest)
                code.put(builder.fdiv(ir.Constant(_FLOAT, 1.0), left), code.add(inverse, loop.index))
            takes = [builder.fneg(part) for part in (of_high, of_low)]
            product = ir.Constant(_FLOAT, 1.0)
            for blocks in _CARD_BLOCKS:
                states = [(code.variable(1.0, kind), code.variable(0.0, kind)) for _, kind in blocks]
                with cgutils.for_range(builder, count) as loop:
                    scales = code.one(code.add(inverse, loop.index))
                    cards, mate = code.times(loop.index, CARDS), code.times(loop.index, 13 * CARDS)
                    of_range = []
                    for first_card, kind in blocks:
                        block = code.add(cards, _INDEX(first_card))
                        held = code.load(code.add(sums, block), kind)
                        for card, take in zip((item.high, item.low), takes, strict=True):
                            with_card = code.add(mates, mate, code.times(card, 16), _INDEX(first_card))
                            held = code.multiply_add(code.load(with_card, kind), code.spread(take, kind), held)
                        held = code.clipped(builder.fmul(held, code.spread(scales, kind)))
                        free = builder.fsub(_same(1.0, kind), held)
                        of_range.append((free, builder.fmul(held, code.load(code.add(others, block), kind))))

                    def one_more(states: Any = states, of_range: Any = of_range) -> None:
                        for (none, some), (free, held) in zip(states, of_range, strict=True):
                            before = builder.load(none)
                            builder.store(
                                code.multiply_add(builder.load(some), free, builder.fmul(before, held)), some
                            )
                            builder.store(builder.fmul(before, free), none)

                    one_more()
                    with cgutils.for_range(builder, code.others(times, loop.index)):
                        one_more()
                for (first_card, kind), (none, some) in zip(blocks, states, strict=True):
                    place = _INDEX(first_card)
                    alone = code.load(code.add(nobody, place), kind)
                    value = code.multiply_add(alone, builder.load(none), builder.load(some))
                    value = builder.fmul(value, code.load(code.add(scale, place), kind))
                    least = _same(1e-6, kind)
                    value = builder.select(builder.fcmp_ordered(">", value, least), value, least)
                    product = builder.fmul(product, code.multiplied(value))
                    code.store(value, code.add(spare, place))
            code.put(product, kept)
        whole = builder.fmul(code.one(kept), factor)
        for place, card in enumerate((item.high, item.low)):
            inverses = builder.fdiv(_same(1.0, _FOUR), code.load(code.add(spare, card), _FOUR))
            code.store(inverses, code.add(item.factors, _INDEX(4 * place)))
        code.put(whole, code.add(item.factors, _INDEX(16)))
        # On a river no card is missing, and all of these are one.
        has_runout = builder.icmp_signed("<", first, _INDEX(52))
        for place in (8, 12):
            code.store(ir.Constant(_FOUR, [1.0] * 4), code.add(item.factors, _INDEX(place)))
        with builder.if_then(has_runout):
            for place, card in ((8, first), (12, second)):
                inverses = builder.fdiv(_same(1.0, _FOUR), code.load(code.add(spare, card), _FOUR))
                is_dead = code.load(code.add(dead, card), _FOUR)
                is_alive = code.load(code.add(alive, card), _FOUR)
                number = code.summed(is_alive)
                mean = builder.fdiv(code.summed(builder.fmul(inverses, is_alive)), number)
                has_others = builder.fcmp_ordered(">", number, ir.Constant(_FLOAT, 0.5))
                means = code.spread(builder.select(has_others, mean, ir.Constant(_FLOAT, 1.0)), _FOUR)
                is_one_of_them = builder.fcmp_ordered(">", is_dead, ir.Constant(_FOUR, [0.5] * 4))
                code.store(builder.select(is_one_of_them, means, inverses), code.add(item.factors, _INDEX(place)))
                as_others = builder.select(
                    is_one_of_them, builder.fdiv(inverses, means), ir.Constant(_FOUR, [1.0] * 4)
                )
                moved = builder.fmul(whole, code.multiplied(as_others))
                is_again = builder.icmp_signed("==", first, second)
                whole = moved if place == 8 else builder.select(is_again, whole, moved)
            code.put(whole, code.add(item.factors, _INDEX(16)))


def numba_type_of(function: Callable[..., Any]) -> Any:
    """Give numba's type of the function that does here what the given one does in numpy."""
    write = globals()[f"_write_{function.__name__}"]
    parameters = inspect.signature(function).parameters
    expected = {Single: types.float32, int: types.intp, np.float64: types.float64}

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        values = [
            context.make_array(type_)(context, builder, value).data if isinstance(type_, types.Array) else value
            for type_, value in zip(signature.args, arguments, strict=True)
        ]
        kind = ir.FunctionType(ir.VoidType(), [value.type for value in values])
        inner = cgutils.get_or_insert_function(builder.module, kind, f"soulread_{function.__name__}")
        if inner.is_declaration:
            inner.linkage = "linkonce_odr"
            inner.attributes.add("noinline")
            code = _Code(ir.IRBuilder(inner.append_basic_block()), inner.args[0])
            write(code, *inner.args[1:])
            code.builder.ret_void()
        builder.call(inner, values)
        return context.get_dummy_value()

    def typed(typing: Any, *given: Any) -> tuple[Any, Callable[..., Any]]:
        kinds_given = [
            type_ if isinstance(type_, types.Array) else expected[parameter.annotation]
            for type_, parameter in zip(given, parameters.values(), strict=True)
        ]
        return types.void(*kinds_given), generate

    first = inspect.Parameter("typing", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    typed.__signature__ = inspect.Signature([first, *parameters.values()])  # type: ignore[attr-defined]
    made = intrinsic(typed)
    context = cpu_target.typing_context
    context.refresh()
    return context.resolve_value_type(made)
